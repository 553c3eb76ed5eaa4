/** Each fix: the code before has the race on a real Redis, the code after has not, and the fix is what a person would write. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { LOST_CHANNEL } from 'lockproof';
import { foundingTimeline, fromSection, runTimeline, type TimelineReport } from 'lockproof/testing';
import { createClient } from 'redis';
import ts from 'typescript';
import { describe, expect, test, vi } from 'vitest';
import { ownRedis } from '../support/redis.js';
import { lint, root } from './lint.js';

const FOLDER = join(import.meta.dirname, 'fixtures/repairs');
const TTL_MS = 500;

interface Repair {
  name: string;
  /** What is reported before the fix, in the order of the lines. */
  rules: string[];
  /**
   * What goes wrong before: the release itself, between its GET and its DEL, a loss that nobody hears, a crash right after
   * the acquire, two holders at once, a token in a log.
   */
  race: 'release' | 'get' | 'unheard' | 'crash' | 'two holders' | 'log';
  client?: 'node-redis';
  file?: string;
  ttlMs?: number;
}

/** `require-write-guard` and its like have nothing to say of these files. */
const CONFIG = { config: 'strict' } as const;

const LITERAL = ['require-unique-token', 'no-blind-release'];

const repairs: Repair[] = [
  { name: 'literal', rules: LITERAL, race: 'release' },
  { name: 'inline-test', rules: LITERAL, race: 'release', ttlMs: 1_000 },
  { name: 'boolean-reply', rules: LITERAL, race: 'release' },
  { name: 'timestamp', rules: LITERAL, race: 'release' },
  { name: 'commonjs', rules: LITERAL, race: 'release', file: 'cjs' },
  { name: 'node-redis', rules: LITERAL, race: 'release', client: 'node-redis' },
  { name: 'unused-token', rules: ['no-blind-release'], race: 'release' },
  { name: 'get-then-del', rules: ['no-get-then-del'], race: 'get' },
  { name: 'get-const-then-del', rules: ['no-get-then-del'], race: 'get' },
  { name: 'node-redis-get-then-del', rules: ['no-get-then-del'], race: 'get', client: 'node-redis' },
  { name: 'dropped-reply', rules: ['no-unchecked-release'], race: 'unheard' },
  {
    name: 'node-redis-dropped-reply',
    rules: ['no-unchecked-release'],
    race: 'unheard',
    client: 'node-redis',
  },
  { name: 'delete-after-lost', rules: ['no-delete-after-lost'], race: 'release' },
  {
    name: 'node-redis-delete-after-lost',
    rules: ['no-delete-after-lost'],
    race: 'release',
    client: 'node-redis',
  },
  { name: 'setnx-expire', rules: ['require-expiry'], race: 'crash' },
  { name: 'node-redis-setnx-expire', rules: ['require-expiry'], race: 'crash', client: 'node-redis' },
  {
    name: 'positional-on-node-redis',
    rules: ['no-dialect-mismatch'],
    race: 'two holders',
    client: 'node-redis',
    file: 'mjs',
  },
  { name: 'object-on-ioredis', rules: ['no-dialect-mismatch'], race: 'two holders', file: 'mjs' },
  { name: 'token-in-log', rules: ['no-token-in-logs'], race: 'log' },
];

const pathOf = (repair: Repair, side: 'before' | 'after'): string =>
  join(FOLDER, repair.name, `${side}.${repair.file ?? 'ts'}`);
const textOf = (repair: Repair, side: 'before' | 'after'): string =>
  readFileSync(pathOf(repair, side), 'utf8');

type Run = (client: unknown, key: string, work: () => Promise<void>) => Promise<unknown>;

async function runOf(repair: Repair, side: 'before' | 'after'): Promise<Run> {
  const path = pathOf(repair, side);
  if (repair.file === 'cjs') return (createRequire(import.meta.url)(path) as { run: Run }).run;
  return ((await import(pathToFileURL(path).href)) as { run: Run }).run;
}

const comments = (text: string): string[] =>
  (text.match(/\/\*[\s\S]*?\*\/|\/\/.*$/gm) ?? []).map((comment) => comment.trim());

const typed = repairs.filter((repair) => repair.file === undefined);

/** All typed fixtures under strict settings. */
const program = ts.createProgram(
  typed.flatMap((repair) => [pathOf(repair, 'before'), pathOf(repair, 'after')]),
  {
    strict: true,
    noEmit: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  },
);

function typeErrors(path: string): string[] {
  const file = program.getSourceFile(path);
  return ts
    .getPreEmitDiagnostics(program, file)
    .map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
}

describe.each(repairs)('$name', (repair) => {
  test('is reported before', async () => {
    const { messages } = await lint(textOf(repair, 'before'), pathOf(repair, 'before'), CONFIG);
    expect(messages.map((message) => message.ruleId)).toEqual(
      repair.rules.map((rule) => `lockproof/${rule}`),
    );
  });

  test('is fixed in one go, stays as it is in a second, and no rule has more to say', async () => {
    const once = await lint(textOf(repair, 'before'), pathOf(repair, 'before'), { fix: true, ...CONFIG });
    expect(once.output).toBe(textOf(repair, 'after'));
    const again = await lint(once.output ?? '', pathOf(repair, 'after'), { fix: true, ...CONFIG });
    expect(again.messages).toEqual([]);
    expect(again.output).toBeUndefined();
  });

  test('keeps every comment', () => {
    expect(comments(textOf(repair, 'after'))).toEqual(
      expect.arrayContaining(comments(textOf(repair, 'before'))),
    );
  });
});

test.each(typed)('$name: the same verdict with type information', async (repair) => {
  const verdict = async (program?: unknown): Promise<unknown> => {
    const { messages } = await lint(textOf(repair, 'before'), pathOf(repair, 'before'), {
      ...CONFIG,
      program,
    });
    return messages.map(({ ruleId, messageId, line, column }) => ({ ruleId, messageId, line, column }));
  };
  expect(await verdict(program)).toEqual(await verdict());
});

test.each(typed)('$name type-checks before and after', (repair) => {
  expect(typeErrors(pathOf(repair, 'before'))).toEqual([]);
  expect(typeErrors(pathOf(repair, 'after'))).toEqual([]);
});

describe('on a real Redis', async () => {
  const { server, redis: observer } = await ownRedis();
  let made = 0;

  async function connect(
    repair: Repair,
  ): Promise<{ client: Redis | ReturnType<typeof createClient>; close: () => void }> {
    if (repair.client === 'node-redis') {
      const client = createClient({ url: server.url });
      await client.connect();
      return {
        client,
        close: () => {
          client.destroy();
        },
      };
    }
    const client = new Redis(server.url);
    return {
      client,
      close: () => {
        client.disconnect();
      },
    };
  }

  async function replay(repair: Repair, side: 'before' | 'after'): Promise<TimelineReport> {
    const run = await runOf(repair, side);
    const { client, close } = await connect(repair);
    const ttlMs = repair.ttlMs ?? TTL_MS;
    const key = `${repair.name}:${side}:${String(made++)}`;
    try {
      const lock = fromSection((work) => run(client, key, work));
      return await runTimeline(foundingTimeline, { observer, key, ttlMs, lock });
    } finally {
      close();
    }
  }

  const of = (race: Repair['race']): Repair[] => repairs.filter((repair) => repair.race === race);

  test.each(of('release'))("$name: before, A's release deletes B's lock", async (repair) => {
    const report = await replay(repair, 'before');
    expect(report.brokenBy).toMatchObject({ step: { what: 'check', expected: 'B' }, observed: 'nobody' });
  });

  test.each(of('release'))("$name: after, B's lock is kept", async (repair) => {
    expect((await replay(repair, 'after')).brokenBy).toBeNull();
  });

  /** Runs A's section; its lock expires and B takes it after A's GET has answered, before A goes on. */
  async function replayAfterGet(repair: Repair, side: 'before' | 'after'): Promise<string | null> {
    const run = await runOf(repair, side);
    const { client, close } = await connect(repair);
    const key = `${repair.name}:${side}:${String(made++)}`;
    const takenByB = async (): Promise<void> => {
      await observer.del(key);
      await observer.set(key, "B's token", 'PX', 60_000, 'NX');
    };
    const get = (wanted: string): Promise<string | null> =>
      (Object.getPrototypeOf(client) as typeof client).get.call(client as never, wanted);
    const state = { read: false };
    Object.assign(client, {
      get: async (wanted: string) => {
        const value = await get(wanted);
        state.read = true;
        await takenByB();
        return value;
      },
    });
    try {
      await run(client, key, () => Promise.resolve());
      // The repaired code reads nothing in the client: B comes after its release.
      if (!state.read) await takenByB();
      return await observer.get(key);
    } finally {
      close();
    }
  }

  test.each(of('get'))("$name: before, B's lock is gone when it came between GET and DEL", async (repair) => {
    expect(await replayAfterGet(repair, 'before')).toBeNull();
  });

  test.each(of('get'))("$name: after, B's lock is kept", async (repair) => {
    expect(await replayAfterGet(repair, 'after')).toBe("B's token");
    expect((await replay(repair, 'after')).brokenBy).toBeNull();
  });

  async function lossesHeard(repair: Repair, side: 'before' | 'after'): Promise<number> {
    let heard = 0;
    const listener = (): void => {
      heard += 1;
    };
    subscribe(LOST_CHANNEL, listener);
    try {
      expect((await replay(repair, side)).brokenBy).toBeNull();
      return heard;
    } finally {
      unsubscribe(LOST_CHANNEL, listener);
    }
  }

  test.each(of('unheard'))('$name: before, nobody hears that A had lost the lock', async (repair) => {
    expect(await lossesHeard(repair, 'before')).toBe(0);
  });

  test.each(of('unheard'))('$name: after, the loss is heard', async (repair) => {
    expect(await lossesHeard(repair, 'after')).toBe(1);
  });

  /** Runs A's section on a client whose EXPIRE never arrives, as after a crash, and looks at the key. */
  async function ttlAfterCrash(repair: Repair, side: 'before' | 'after'): Promise<number> {
    const run = await runOf(repair, side);
    const { client, close } = await connect(repair);
    const key = `${repair.name}:${side}:${String(made++)}`;
    Object.assign(client, { expire: () => Promise.reject(new Error('crashed')) });
    const left: number[] = [];
    try {
      await run(client, key, async () => {
        left.push(await observer.pttl(key));
      }).catch(() => undefined);
      return left[0] ?? (await observer.pttl(key));
    } finally {
      close();
    }
  }

  test.each(of('crash'))('$name: before, a crash leaves a lock that never expires', async (repair) => {
    expect(await ttlAfterCrash(repair, 'before')).toBe(-1);
  });

  test.each(of('crash'))('$name: after, the lock expires whatever happens', async (repair) => {
    expect(await ttlAfterCrash(repair, 'after')).toBeGreaterThan(0);
  });

  /** How many of two requests at the same time get in. */
  async function holdersAtOnce(repair: Repair, side: 'before' | 'after'): Promise<number> {
    const run = await runOf(repair, side);
    const { client, close } = await connect(repair);
    const key = `${repair.name}:${side}:${String(made++)}`;
    let inside = 0;
    try {
      await run(client, key, async () => {
        inside += 1;
        await run(client, key, () => {
          inside += 1;
          return Promise.resolve();
        });
      });
      return inside;
    } finally {
      close();
    }
  }

  test.each(of('two holders'))('$name: before, two requests hold the lock at once', async (repair) => {
    expect(await holdersAtOnce(repair, 'before')).toBe(2);
  });

  test.each(of('two holders'))('$name: after, the second one is refused', async (repair) => {
    expect(await holdersAtOnce(repair, 'after')).toBe(1);
  });

  /** Does the log hold the token that Redis holds? */
  async function logsToken(repair: Repair, side: 'before' | 'after'): Promise<boolean> {
    const run = await runOf(repair, side);
    const { client, close } = await connect(repair);
    const key = `${repair.name}:${side}:${String(made++)}`;
    const log = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    let token: string | null = null;
    try {
      await run(client, key, async () => {
        token = await observer.get(key);
      });
      return log.mock.calls.some((call) => String(call[0]).includes(token ?? 'no token'));
    } finally {
      log.mockRestore();
      close();
    }
  }

  test.each(of('log'))('$name: before, the log holds the token', async (repair) => {
    expect(await logsToken(repair, 'before')).toBe(true);
  });

  test.each(of('log'))('$name: after, it holds a hash', async (repair) => {
    expect(await logsToken(repair, 'after')).toBe(false);
  });
});
