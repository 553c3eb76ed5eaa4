import { ruleNamed } from '../plugin.js';
import { ioredis, nodeRedis, tester } from '../tester.js';

const blind = (line: number, suggestions?: number) => [
  { messageId: 'blindDelete', line, ...(suggestions ? { suggestions } : {}) },
];

/** A class with a correct acquire; `methods` are added to it. */
const lockClass = (methods: string): string => `
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
export class RedisLocks {
  constructor(private readonly redis: Redis) {}
  async acquireLock(key: string): Promise<string | null> {
    const token = randomUUID();
    return (await this.redis.set(key, token, 'PX', 8000, 'NX')) === 'OK' ? token : null;
  }
  ${methods}
}
`;

tester.run('no-blind-release', ruleNamed('no-blind-release'), {
  valid: [
    {
      name: 'compare-and-delete in Lua',
      code: lockClass(
        `async releaseLock(key: string, token: string) { return this.redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", 1, key, token); }`,
      ),
    },
    {
      name: 'DELEX with IFEQ',
      code: lockClass(
        `async releaseLock(key: string, token: string) { return (await this.redis.call('DELEX', key, 'IFEQ', token)) === 1; }`,
      ),
    },
    {
      name: 'DELIFEQ',
      code: lockClass(
        `async releaseLock(key: string, token: string) { return (await this.redis.call('DELIFEQ', key, token)) === 1; }`,
      ),
    },
    {
      name: 'WATCH, GET, MULTI, DEL, EXEC',
      code: lockClass(`async releaseLock(key: string, token: string) {
    const own = this.redis.duplicate();
    await own.watch(key);
    if ((await own.get(key)) !== token) return false;
    return (await own.multi().del(key).exec()) !== null;
  }`),
    },
    {
      name: 'the generic delete of a cache in the same class',
      code: lockClass('async del(key: string) { await this.redis.del(key); }'),
    },
    {
      name: 'a pattern delete',
      code: lockClass('async deleteByPattern(keys: string[]) { await this.redis.del(...keys); }'),
    },
    {
      name: 'an administrator takes the lock away',
      code: lockClass('async forceReleaseLock(key: string) { await this.redis.del(key); }'),
    },
    {
      name: 'another key inside the locked section',
      code: ioredis(`export async function run(id: string, work: () => Promise<void>) {
  if (!(await redis.set(\`lock:\${id}\`, '1', 'PX', 8000, 'NX'))) return;
  await work();
  await redis.del(\`cache:\${id}\`);
}`),
    },
    {
      name: 'the fallback of another store',
      code: `import NodeCache from 'node-cache';
import { Redis } from 'ioredis';
const cache = new NodeCache();
const redis = new Redis();
export async function acquireLock(key: string) { return redis.set(key, 'x', 'PX', 8000, 'NX'); }
export async function releaseLock(key: string) { cache.del(key); }`,
    },
    {
      name: 'an account that is locked out',
      code: ioredis(`export async function check(userId: string) {
  const lockKey = \`locked:\${userId}\`;
  if (await redis.get(lockKey)) return false;
  await redis.set(lockKey, String(Date.now()), 'PX', 60000);
  return true;
}
export async function unlockAccount(userId: string) { await redis.del(\`locked:\${userId}\`); }`),
    },
    {
      name: 'a throttle that is opened again when the work failed',
      code: ioredis(`export async function send(user: string, mail: () => Promise<boolean>) {
  const key = \`cooldown:\${user}\`;
  if (!(await redis.set(key, '1', 'EX', 60, 'NX'))) return;
  if (await mail()) return;
  await redis.del(key);
}`),
    },
    {
      name: 'a claim on an id, given back by a helper',
      code: ioredis(`export async function claimPart(id: string) { return redis.set(\`part:\${id}\`, '1', 'EX', 60, 'NX'); }
export async function releasePart(id: string) { await redis.del(\`part:\${id}\`); }`),
    },
  ],
  invalid: [
    {
      name: 'in a finally',
      code: `import { redis } from './redis';
export async function run(key: string, work: () => Promise<void>) {
  const ok = await redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX');
  if (ok !== 'OK') return;
  try { await work(); } finally { await redis.del(key); }
}`,
      errors: blind(5, 1),
    },
    {
      name: 'in a promise finally',
      code: `import { redis } from './redis';
export async function run(key: string, work: () => Promise<void>) {
  if (!(await redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'))) return;
  await work().finally(async () => redis.del(key));
}`,
      errors: blind(4, 1),
    },
    {
      name: 'UNLINK of an array',
      code: `import { redis } from './redis';
export async function run(key: string, work: () => Promise<void>) {
  if (!(await redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'))) return;
  try { await work(); } finally { await redis.unlink([key]); }
}`,
      errors: blind(4, 1),
    },
    {
      name: 'behind a local boolean',
      code: `import { redis } from './redis';
export async function run(key: string, work: () => Promise<void>) {
  let got = false;
  try {
    got = (await redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX')) === 'OK';
    if (got) await work();
  } finally { if (got) await redis.del(key).catch(() => undefined); }
}`,
      errors: blind(7),
    },
    {
      name: 'a test that the key exists is no ownership check',
      code: `import { redis } from './redis';
export async function run(key: string, work: () => Promise<void>) {
  if (!(await redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'))) return;
  try { await work(); } finally { if (await redis.get(key)) await redis.del(key); }
}`,
      errors: blind(4),
    },
    {
      name: 'in a sibling method',
      code: lockClass('async releaseLock(key: string) { await this.redis.del(key); }'),
      errors: blind(10),
    },
    {
      name: 'in a sibling method, as an answer',
      code: lockClass('async releaseLock(key: string) { return (await this.redis.del(key)) > 0; }'),
      errors: blind(10),
    },
    {
      name: 'in a sibling function with a rebuilt key',
      code: nodeRedis(`export async function take(id: string) { return client.set(\`job-lock:\${id}\`, crypto.randomUUID(), { NX: true, PX: 8000 }); }
export const drop = async (job: string) => { await client.del(\`job-lock:\${job}\`); };`),
      errors: blind(4),
    },
    {
      name: 'in a sibling function with a key builder',
      code: nodeRedis(`const keyOf = (id: string) => \`job-lock:\${id}\`;
export async function take(id: string) { return client.set(keyOf(id), crypto.randomUUID(), { NX: true, PX: 8000 }); }
export const drop = async (job: string) => { await client.del(keyOf(job)); };`),
      errors: blind(5),
    },
    {
      name: 'in methods of an object',
      code: `import { redis } from './redis';
export const locks = {
  async acquire(key: string) { return redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'); },
  async release(key: string) { await redis.del(key); },
};`,
      errors: blind(4),
    },
    {
      name: 'in a closure given to the caller',
      code: `import { redis } from './redis';
export async function lock(key: string) {
  const token = crypto.randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return null;
  return { release: () => void redis.del(key) };
}`,
      errors: blind(5),
    },
    {
      name: 'mapped over several clients',
      code: `import type { Redis } from 'ioredis';
export class Locks {
  constructor(private readonly clients: Redis[]) {}
  private async lockOnce(redis: Redis, key: string) { return redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'); }
  async release(key: string) { await Promise.all(this.clients.map((c) => c.del(key))); }
}`,
      errors: blind(5),
    },
    {
      name: 'through optional chaining and casts',
      code: `import { redis } from './redis';
export async function run(key: string, work: () => Promise<void>) {
  const ok = await redis?.set(key, crypto.randomUUID(), 'PX' as any, 8000, 'NX' as any);
  if (!ok) return;
  try { await work(); } finally { await (redis as any)?.del(key); }
}`,
      errors: blind(5),
    },
    {
      name: 'EXISTS then SETEX, with the finally around both',
      code: `import { redis } from './redis';
const LOCK = 'lock:sweep';
export async function sweep(work: () => Promise<void>) {
  try {
    if (await redis.exists(LOCK)) return;
    await redis.setex(LOCK, 600, 'locked');
    await work();
  } finally { await redis.del(LOCK); }
}`,
      errors: blind(8),
    },
    {
      name: 'a lock taken by a helper of another file',
      code: `import { tryLock } from './locks';
import { redis } from './redis';
export async function finish(gameId: string, work: () => Promise<void>) {
  const lockKey = \`lock:end:\${gameId}\`;
  const got = await tryLock({ redis, lockKey });
  try { if (got) await work(); } finally { await redis.del(lockKey); }
}`,
      errors: blind(6),
    },
    {
      name: 'bluebird methods',
      code: `const client = require('./redis');
exports.acquireLock = (key) => client.setAsync(key, require('crypto').randomUUID(), 'nx', 'px', 5000);
exports.releaseLock = (key) => client.delAsync(key);`,
      errors: blind(3),
    },
    {
      name: 'callbacks',
      code: `const client = require('./redis');
exports.lock = function lock(key, token, cb) { client.SET(key, token, 'PX', 5000, 'NX', cb); };
exports.unlock = function unlock(key, cb) { client.DEL(key, cb); };`,
      errors: blind(3),
    },
    {
      name: 'taken inside the try: a lease declared there would be out of reach of the finally',
      code: `import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
const redis = new Redis();
export async function pay(id: string, charge: () => Promise<void>) {
  const key = \`order:lock:\${id}\`;
  try {
    const taken = await redis.set(key, randomUUID(), 'PX', 8000, 'NX');
    if (!taken) return;
    await charge();
  } finally {
    await redis.del(key);
  }
}`,
      errors: blind(11),
    },
  ],
});
