/** `npm run demo` as a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { startRedisServer } from 'lockproof/testing';
import type { Result } from 'order-inventory/demo/demo.js';
import { describe, expect, test } from 'vitest';

const EXAMPLE = fileURLToPath(new URL('../../examples/order-inventory/', import.meta.url));
const SLOW = 60_000;
/** Whatever the tests themselves were started with. */
const NOTHING_SET = { REDIS_URL: '', DATABASE_URL: '', INIT_CWD: EXAMPLE };

interface Ended {
  code: number | null;
  lines: string[];
  text: string;
  errors: string;
}

/** Runs the demo as npm does, with no Redis and no database but those that are given. */
function runDemo(env: Record<string, string> = {}, ...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['dist/demo/main.js', ...args], {
      cwd: EXAMPLE,
      env: { ...process.env, ...NOTHING_SET, ...env },
    });
    const output = { text: '', errors: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.errors += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, lines: output.text.trimEnd().split('\n'), ...output });
    });
  });
}

/** What stands at the place of a finding or a call. */
async function sourceLine(place: { file: string; line: number }): Promise<string> {
  const text = await readFile(join(EXAMPLE, place.file), 'utf8');
  return text.split('\n')[place.line - 1] ?? '';
}

test(
  'starts a Redis of its own, shows everything, and ends with the two lines',
  { timeout: SLOW },
  async () => {
    const { code, lines, text, errors } = await runDemo();
    expect(errors).toBe('');
    expect(lines.slice(-2)).toEqual([
      "before: A's release deleted B's lock",
      "after: A's release answered 0, B's lock is kept",
    ]);
    expect(code).toBe(0);
    expect(text).toMatch(/src\/before\/place-order\.ts:\d+:\d+ {2}error {2}lockproof\/require-unique-token/);
    expect(text).toMatch(/A {2}DEL order:lock:10086 → 1 {3}src\/before\/place-order\.ts:\d+/);
    expect(text).not.toContain('\u001b[');
  },
);

describe('on a Redis that has other keys', () => {
  test(
    'touches none of them, leaves none of its own, and tells the executed lines',
    { timeout: SLOW },
    async () => {
      const server = await startRedisServer();
      const redis = new Redis(server.url);
      try {
        await redis.mset(
          'order:lock:10086',
          'somebody',
          'lockproof-demo',
          'mine',
          'lockproof-demo:x',
          'mine, too',
        );
        const keys = (await redis.keys('*')).sort();

        const { code, text, errors } = await runDemo({ REDIS_URL: server.url }, '--json');
        const result = JSON.parse(text) as Result;

        expect(errors).toBe('');
        expect(result.ok).toBe(true);
        expect(code).toBe(0);
        expect((await redis.keys('*')).sort()).toEqual(keys);
        expect(await redis.mget(...keys)).toEqual(['mine', 'mine, too', 'somebody']);

        expect(result.findings.after).toEqual([]);
        expect(result.findings.before.map(({ rule }) => rule)).toEqual([
          'lockproof/require-unique-token',
          'lockproof/no-blind-release',
        ]);
        const [set, del] = await Promise.all(result.findings.before.map(sourceLine));
        expect(set).toContain('redis.set(');
        expect(del).toContain('redis.del(');

        const { before, after } = result.races ?? expect.fail('no races');
        const lines = (calls: typeof before.calls): Promise<string[]> =>
          Promise.all(calls.flatMap(({ from }) => (from ? [from] : [])).map(sourceLine));
        const order = ['A', 'B', 'A', 'C', 'B', 'C'];
        expect(before.calls.map(({ who }) => who)).toEqual(order);
        expect(await lines(before.calls)).toEqual([set, set, del, set, del, del]);
        expect(after.calls.flatMap(({ who, from }) => (from ? [who] : []))).toEqual([
          'A',
          'B',
          'A',
          'C',
          'B',
        ]);
        expect((await lines(after.calls)).map((line) => /\w+Lease(?=\()/.exec(line)?.[0])).toEqual([
          'tryAcquireLease',
          'tryAcquireLease',
          'releaseLease',
          'tryAcquireLease',
          'releaseLease',
        ]);
      } finally {
        redis.disconnect();
        await server.stop();
      }
    },
  );
});

describe('without a Redis', () => {
  test('lints, and says in one line how to get one', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'lockproof-no-redis-'));
    try {
      const { code, lines, text } = await runDemo({ PATH: empty });
      expect(code).toBe(1);
      expect(text).toContain('lockproof/no-blind-release');
      expect(lines.at(-1)).toMatch(/^No Redis .*npm run setup.*REDIS_URL/);
      expect(text).not.toContain("B's lock");
    } finally {
      await rm(empty, { recursive: true });
    }
  });

  test('names the server of REDIS_URL that refuses, not its password', async () => {
    const { code, text, errors } = await runDemo({ REDIS_URL: 'redis://user:secret@127.0.0.1:1' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^Redis at redis:\/\/127\.0\.0\.1:1 can't be used: .*ECONNREFUSED/);
    expect(errors + text).not.toContain('secret');
  });
});

test('names the database of DATABASE_URL that refuses, not its password', async () => {
  const server = await startRedisServer();
  try {
    const address = 'postgres://user:secret@127.0.0.1:1/shop';
    const { code, text, errors } = await runDemo({ REDIS_URL: server.url, DATABASE_URL: address });
    expect(code).toBe(1);
    expect(errors).toMatch(/^PostgreSQL at postgres:\/\/127\.0\.0\.1:1\/shop can't be used: .*ECONNREFUSED/);
    expect(errors + text).not.toContain('secret');
  } finally {
    await server.stop();
  }
});

test('refuses an argument that it does not know', async () => {
  expect(await runDemo({}, '--jsno')).toMatchObject({
    code: 2,
    errors: 'unknown argument --jsno; the only one is --json\n',
  });
});
