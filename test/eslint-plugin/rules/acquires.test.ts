import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { ruleNamed } from '../plugin.js';
import { ioredis, nodeRedis, tester } from '../tester.js';

const folder = mkdtempSync(join(tmpdir(), 'lockproof-majors-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A file in a project that has these dependencies. */
function inProject(dependencies: Record<string, string>): string {
  const path = join(
    folder,
    Object.entries(dependencies)
      .flat()
      .join('-')
      .replaceAll(/[^\w-]/g, ''),
    'src/file.ts',
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(join(dirname(path), '../package.json'), JSON.stringify({ dependencies }));
  return path;
}

const SCRIPT = `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"`;
const acquiring = (acquire: string): string => `import { redis } from './redis';
export async function run(key: string, token: string, work: () => Promise<void>) {
  ${acquire}
  try { await work(); } finally { if ((await redis.eval(${SCRIPT}, 1, key, token)) !== 1) console.warn('lost'); }
}`;

tester.run('no-unchecked-acquire', ruleNamed('no-unchecked-acquire'), {
  valid: [
    {
      name: 'tested',
      code: acquiring("if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;"),
    },
    {
      name: 'stored and tested',
      code: acquiring("const ok = await redis.set(key, token, 'PX', 8000, 'NX');\n  if (!ok) return;"),
    },
    { name: 'SETNX compared with 1', code: acquiring('if ((await redis.setnx(key, token)) !== 1) return;') },
    {
      name: 'GET, negated',
      code: acquiring(
        "const holder = await redis.set(key, token, 'NX', 'GET');\n  if (holder !== null) return;",
      ),
    },
    {
      name: 'a first-writer-wins record',
      code: "import { redis } from './redis';\nexport async function epoch(id: string) { await redis.set('epoch', id, 'NX'); return redis.get('epoch'); }",
    },
    {
      name: 'setNX of node-redis 5 compared with 1',
      filename: inProject({ redis: '^5.0.0' }),
      code: nodeRedis(
        "export async function lock(key: string) { return (await client.setNX(key, 'x')) === 1; }\nexport async function unlock(key: string) { await client.del(key); }",
      ),
    },
  ],
  invalid: [
    {
      name: 'dropped',
      code: acquiring("await redis.set(key, token, 'PX', 8000, 'NX');"),
      errors: [
        {
          messageId: 'uncheckedAcquire',
          line: 3,
          suggestions: [
            {
              messageId: 'throwWhenBusy',
              output: acquiring(
                "if (!(await redis.set(key, token, 'PX', 8000, 'NX'))) throw new Error('the lock is held by somebody else');",
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'stored and never read',
      code: acquiring("const ok = await redis.set(key, token, 'PX', 8000, 'NX');"),
      errors: [{ messageId: 'uncheckedAcquire', line: 3 }],
    },
    {
      name: 'SETNX is never null',
      code: acquiring('const ok = await redis.setnx(key, token);\n  if (ok === null) return;'),
      errors: [{ messageId: 'cannotFail', line: 3 }],
    },
    {
      name: 'both answers accepted',
      code: acquiring(
        "const ok = await redis.set(key, token, 'PX', 8000, 'NX');\n  if (!(ok === 'OK' || ok === null)) return;",
      ),
      errors: [{ messageId: 'cannotFail', line: 3 }],
    },
    {
      name: 'inverted by GET',
      code: acquiring("if (await redis.set(key, token, 'PX', 8000, 'NX', 'GET')) {\n  await work();\n  }"),
      errors: [{ messageId: 'invertedReply', line: 3 }],
    },
    {
      name: 'setNX of node-redis 5 compared with true',
      filename: inProject({ redis: '^5.0.0' }),
      code: nodeRedis(
        "export async function lock(key: string) { const ok = await client.setNX(key, 'x');\n  if (ok === true) return true; }\nexport async function unlock(key: string) { await client.del(key); }",
      ),
      errors: [{ messageId: 'cannotFail', line: 3 }],
    },
    {
      name: 'redis 3 answers true without a callback',
      filename: inProject({ redis: '^3.1.2' }),
      code: nodeRedis(
        "export async function lock(key: string) { const ok = await client.set(key, 'x', 'NX', 'PX', 8000);\n  if (!ok) return false; }\nexport async function unlock(key: string) { await client.del(key); }",
      ),
      errors: [{ messageId: 'cannotFail', line: 3 }],
    },
  ],
});

tester.run('require-expiry', ruleNamed('require-expiry'), {
  valid: [
    { name: 'PX', code: acquiring("if (!(await redis.set(key, token, 'PX', 8000, 'NX'))) return;") },
    {
      name: 'a persistent first-seen mark',
      code: ioredis('export const seen = (id: string) => redis.setnx(`seen:${id}`, Date.now());'),
    },
    {
      name: 'expiration of node-redis 5',
      code: nodeRedis(
        "export const lock = (key: string, t: string) => client.set(key, t, { condition: 'NX', expiration: { type: 'EX', value: 8 } });\nexport const unlock = (key: string) => client.del(key);",
      ),
    },
    {
      name: 'options from elsewhere',
      code: nodeRedis(
        'export const lock = (key: string, t: string, ttl: object) => client.set(key, t, { NX: true, ...(ttl ? { PX: 8000 } : {}) });\nexport const unlock = (key: string) => client.del(key);',
      ),
    },
  ],
  invalid: [
    {
      name: 'no TTL',
      code: acquiring("if (!(await redis.set(key, token, 'NX'))) return;"),
      errors: [{ messageId: 'missingExpiry', line: 3 }],
    },
    {
      name: 'SETNX alone',
      code: acquiring('if (!(await redis.setnx(key, token))) return;'),
      errors: [{ messageId: 'missingExpiry', line: 3 }],
    },
    {
      name: 'a TTL that is undefined',
      code: nodeRedis(
        'export const lock = (key: string, t: string) => client.set(key, t, { NX: true, PX: undefined });\nexport const unlock = (key: string) => client.del(key);',
      ),
      errors: [{ messageId: 'missingExpiry', line: 3 }],
    },
    {
      name: 'SETNX, then EXPIRE',
      code: ioredis(
        'export async function acquireLock(key: string, token: string) {\n  if (await redis.setnx(key, token)) {\n    await redis.expire(key, 30);\n    return true;\n  }\n  return false;\n}\nexport const releaseLock = (key: string) => redis.del(key);',
      ),
      output: ioredis(
        "export async function acquireLock(key: string, token: string) {\n  if (await redis.set(key, token, 'EX', 30, 'NX')) {\n    return true;\n  }\n  return false;\n}\nexport const releaseLock = (key: string) => redis.del(key);",
      ),
      errors: [{ messageId: 'nonAtomicExpiry', line: 4 }],
    },
    {
      name: 'setNX === 1, then pExpire, node-redis',
      code: nodeRedis(
        'export async function acquireLock(key: string, token: string) {\n  if ((await client.setNX(key, token)) === 1) {\n    await client.pExpire(key, 30000);\n    return true;\n  }\n  return false;\n}\nexport const releaseLock = (key: string) => client.del(key);',
      ),
      output: nodeRedis(
        "export async function acquireLock(key: string, token: string) {\n  if ((await client.set(key, token, { NX: true, PX: 30000 })) === 'OK') {\n    return true;\n  }\n  return false;\n}\nexport const releaseLock = (key: string) => client.del(key);",
      ),
      errors: [{ messageId: 'nonAtomicExpiry', line: 4 }],
    },
    {
      name: 'EXPIRE some statements later: no fix',
      code: ioredis(
        'export async function acquireLock(key: string, token: string) {\n  const ok = await redis.setnx(key, token);\n  if (!ok) return false;\n  await redis.expire(key, 30);\n  return true;\n}\nexport const releaseLock = (key: string) => redis.del(key);',
      ),
      errors: [{ messageId: 'nonAtomicExpiry', line: 4 }],
    },
  ],
});

const REDIS5 = inProject({ redis: '^5.1.0' });
tester.run('no-dialect-mismatch', ruleNamed('no-dialect-mismatch'), {
  valid: [
    {
      name: 'node-redis, upper case',
      filename: REDIS5,
      code: nodeRedis("await client.set('lock', 't', { NX: true, PX: 8000 });"),
    },
    {
      name: 'node-redis 3, positional',
      filename: inProject({ redis: '^3.0.0' }),
      code: nodeRedis("client.set('lock', 't', 'NX', 'PX', 8000, cb);"),
    },
    {
      name: 'node-redis of unknown version',
      filename: inProject({ redis: 'latest' }),
      code: nodeRedis("await client.set('lock', 't', 'NX', 'PX', 8000);"),
    },
    {
      name: 'ioredis, positional',
      filename: REDIS5,
      code: ioredis("await redis.set('lock', 't', 'PX', 8000, 'NX');"),
    },
    {
      name: 'a client of unknown origin beside two libraries',
      filename: inProject({ redis: '^5.0.0', ioredis: '^5.0.0' }),
      code: "import { c } from './c';\nawait c.set('lock', 't', 'NX', 'PX', 8000);",
    },
    {
      name: 'a raw command',
      filename: REDIS5,
      code: nodeRedis("await client.sendCommand(['SET', 'lock', 't', 'NX', 'PX', '8000']);"),
    },
    {
      name: 'one key',
      filename: REDIS5,
      code: nodeRedis("await client.del('a');\nawait client.del(['a', 'b']);"),
    },
  ],
  invalid: [
    {
      name: 'positional on node-redis 5',
      filename: REDIS5,
      code: nodeRedis("await client.set('lock', 't', 'NX', 'PX', 8000);"),
      output: nodeRedis("await client.set('lock', 't', { NX: true, PX: 8000 });"),
      errors: [{ messageId: 'otherDialect', line: 3 }],
    },
    {
      name: 'lower case on node-redis 5',
      filename: REDIS5,
      code: nodeRedis("await client.set('lock', 't', { nx: true, ex: 8 });"),
      output: nodeRedis("await client.set('lock', 't', { NX: true, EX: 8 });"),
      errors: [{ messageId: 'otherDialect', line: 3 }],
    },
    {
      name: 'condition on node-redis 4',
      filename: inProject({ redis: '~4.7.0' }),
      code: nodeRedis(
        "await client.set('lock', 't', { condition: 'NX', expiration: { type: 'PX', value: 8000 } });",
      ),
      output: nodeRedis("await client.set('lock', 't', { NX: true, PX: 8000 });"),
      errors: [{ messageId: 'otherDialect', line: 3 }],
    },
    {
      name: 'an object on ioredis',
      code: ioredis("await redis.set('lock', 't', { NX: true, PX: 8000 });"),
      output: ioredis("await redis.set('lock', 't', 'PX', 8000, 'NX');"),
      errors: [{ messageId: 'otherDialect', line: 3 }],
    },
    {
      name: 'upper case on Upstash',
      code: "import { Redis } from '@upstash/redis';\nconst redis = Redis.fromEnv();\nawait redis.set('lock', 't', { NX: true, PX: 8000 });",
      output:
        "import { Redis } from '@upstash/redis';\nconst redis = Redis.fromEnv();\nawait redis.set('lock', 't', { nx: true, px: 8000 });",
      errors: [{ messageId: 'otherDialect', line: 3 }],
    },
    {
      name: 'a client of another file in a project with one library',
      filename: REDIS5,
      code: "import { c } from './c';\nawait c.set('lock', 't', 'NX', 'PX', 8000);",
      output: "import { c } from './c';\nawait c.set('lock', 't', { NX: true, PX: 8000 });",
      errors: [{ messageId: 'otherDialect', line: 2 }],
    },
    {
      name: 'two keys on node-redis 5',
      filename: REDIS5,
      code: nodeRedis("await client.del('lock:a', 'lock:b');"),
      errors: [
        {
          messageId: 'onlyFirstKey',
          line: 3,
          suggestions: [
            { messageId: 'keysInArray', output: nodeRedis("await client.del(['lock:a', 'lock:b']);") },
          ],
        },
      ],
    },
  ],
});
