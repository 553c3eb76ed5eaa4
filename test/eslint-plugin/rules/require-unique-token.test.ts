import { ruleNamed } from '../plugin.js';
import { ioredis, nodeRedis, tester } from '../tester.js';

/** A lock in one function whose acquire stores `value`. */
const locked = (value: string, release = 'await redis.del(key);'): string =>
  ioredis(`export async function run(key: string, work: () => Promise<void>, orderId: string) {
  const ok = await redis.set(key, ${value}, 'PX', 8000, 'NX');
  if (!ok) return;
  try { await work(); } finally { ${release} }
}`);

const COMPARE_AND_DELETE = `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"`;

/** A lock service: any caller may lock any name. */
const service = (field: string, value: string, key = '`lock:${name}`'): string => `
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
export class LockService {
  ${field}
  constructor(private readonly redis: Redis) {}
  async acquire(name: string) { return (await this.redis.set(${key}, ${value}, 'PX', 8000, 'NX')) === 'OK'; }
  async release(name: string) { return (await this.redis.eval(${COMPARE_AND_DELETE}, 1, ${key}, ${value})) === 1; }
}
`;

const reported = (messageId: string, line: number) => ({ messageId, line });

tester.run('require-unique-token', ruleNamed('require-unique-token'), {
  valid: [
    {
      name: 'a UUID of its own',
      code: `import { randomUUID } from 'node:crypto';\n${locked('randomUUID()')}`,
    },
    {
      name: 'CSPRNG bytes',
      code: `import { randomBytes } from 'node:crypto';\n${locked("randomBytes(16).toString('hex')")}`,
    },
    { name: 'clock and Math.random together', code: locked('`${Date.now()}-${Math.random()}`') },
    {
      name: 'pid, clock and random joined by +',
      code: locked("process.pid + ':' + Date.now() + ':' + Math.random().toString(36)"),
    },
    {
      name: 'a UUID inside JSON',
      code: `import { randomUUID } from 'node:crypto';\n${locked('JSON.stringify({ token: randomUUID(), at: Date.now() })')}`,
    },
    {
      name: 'a local helper that makes a UUID',
      code: `import { v4 } from 'uuid';\nconst newToken = () => v4();\n${locked('newToken()')}`,
    },
    { name: 'a value from elsewhere', code: locked('currentOwner') },
    {
      name: 'a parameter',
      code: ioredis(`export const acquireLock = async (key: string, owner: string) => (await redis.set(key, owner, 'PX', 1, 'NX')) === 'OK';
export const releaseLock = async (key: string) => { await redis.del(key); };`),
    },
    {
      name: 'a default value that is unique',
      code: ioredis(`export async function acquireLock(key: string, token = crypto.randomUUID()) { return redis.set(key, token, 'PX', 8000, 'NX'); }
export async function releaseLock(key: string) { await redis.del(key); }`),
    },
    {
      name: 'a dedupe marker that nobody deletes',
      code: ioredis(
        "export const first = async (id: string) => (await redis.set(`seen:${id}`, '1', 'EX', 60, 'NX')) === 'OK';",
      ),
    },
    {
      name: 'a lock that only its TTL ends',
      code: ioredis(
        "export async function cron(run: () => Promise<void>) { if (await redis.set('lock:cron', '1', 'EX', 60, 'NX')) await run(); }",
      ),
    },
    {
      name: 'a claim given back when the work fails',
      code: ioredis(`export async function once(id: string, send: () => Promise<void>) {
  const key = \`sent:\${id}\`;
  if (!(await redis.set(key, '1', 'EX', 60, 'NX'))) return;
  try { await send(); } catch (error) { await redis.del(key); throw error; }
}`),
    },
    {
      name: 'a cache entry that is invalidated',
      code: ioredis(`export async function find(id: string, row: unknown) { await redis.set(\`row:\${id}\`, JSON.stringify(row), 'EX', 60, 'NX'); }
export async function rename(id: string) { await redis.del(\`row:\${id}\`); }`),
    },
    {
      name: 'an idempotency record that is overwritten with its result',
      code: ioredis(`export async function begin(id: string) { return redis.set(\`lock:idem:\${id}\`, 'started', 'EX', 60, 'NX'); }
export async function finish(id: string, result: string) { await redis.set(\`lock:idem:\${id}\`, result, 'EX', 60); }
export async function unlock(id: string) { await redis.del(\`lock:idem:\${id}\`); }`),
    },
    {
      name: 'leader election: one id for one key',
      code: service('private readonly id = randomUUID();', 'this.id', "'cluster:leader'"),
    },
    {
      name: 'a Map',
      code: "const locks = new Map<string, string>();\nexport function run(key: string) { locks.set(key, '1'); try { work(); } finally { locks.delete(key); } }\ndeclare function work(): void;\n// 'NX'",
    },
    {
      name: 'a queued backfill',
      code: ioredis(
        "export async function fill(key: string) { await redis.pipeline().set(key, '1', 'EX', 60, 'NX').exec(); await redis.del(key); }",
      ),
    },
    { name: 'a test file', filename: 'src/lock.test.ts', code: locked("'locked'") },
    {
      name: 'an ignored key',
      settings: { lockproof: { ignoreKeys: ['seat:'] } },
      code: locked("'locked'").replaceAll('(key,', "('seat:1',").replace('del(key)', "del('seat:1')"),
    },
  ],
  invalid: [
    {
      name: 'a literal',
      code: locked("'locked'"),
      settings: { lockproof: { fixes: 'suggest-only' } },
      errors: 1,
    },
    { name: 'a number', code: locked('1').replace('new Redis()', 'makeClient()'), errors: 1 },
    {
      name: 'a constant',
      code: locked('LOCKED')
        .replace('\nconst redis', "\nconst LOCKED = 'locked';\nconst redis")
        .replace('new Redis()', 'makeClient()'),
      errors: 1,
    },
    {
      name: 'the time of day',
      code: locked('Date.now()', 'await redis.del(key).catch(() => undefined);').replace(
        'new Redis()',
        'makeClient()',
      ),
      errors: 1,
    },
    {
      name: 'an ISO date',
      code: locked('new Date().toISOString()').replace('new Redis()', 'makeClient()'),
      errors: 1,
    },
    {
      name: 'the process id',
      code: locked('String(process.pid)').replace('new Redis()', 'makeClient()'),
      errors: 1,
    },
    {
      name: 'Math.random() alone',
      code: locked('Math.random().toString(36)').replace('new Redis()', 'makeClient()'),
      errors: 1,
    },
    {
      name: 'upper-case options of node-redis',
      code: nodeRedis(`export async function lock(key: string) { return client.set(key, 'locked', { NX: true, PX: 8000 }); }
export async function unlock(key: string) { await client.del(key); }`),
      errors: [reported('fixedValue', 3)],
    },
    {
      name: 'condition and expiration of node-redis 5',
      code: nodeRedis(`export async function lock(key: string) { return client.set(key, 'locked', { condition: 'NX', expiration: { type: 'PX', value: 8000 } }); }
export async function unlock(key: string) { await client.del(key); }`),
      errors: [reported('fixedValue', 3)],
    },
    {
      name: 'lower-case options of Upstash',
      code: `import { Redis } from '@upstash/redis';
const redis = Redis.fromEnv();
export async function run(key: string, work: () => Promise<void>) {
  if (!(await redis.set(key, 1, { nx: true, ex: 60 }))) return;
  try { await work(); } finally { await redis.del(key); }
}`,
      errors: [reported('fixedValue', 4)],
    },
    {
      name: 'a promisified client',
      code: `const { promisify } = require('util');
const client = require('redis').createClient();
const setnx = promisify(client.setnx).bind(client);
const del = promisify(client.del).bind(client);
async function lockRoom(room) { return setnx(\`lock:\${room}\`, 3000); }
async function unlockRoom(room) { await del(\`lock:\${room}\`); }
module.exports = { lockRoom, unlockRoom };`,
      errors: [reported('fixedValue', 5)],
    },
    {
      name: 'a raw command',
      code: ioredis(`export async function acquireLock(name: string) { return redis.call('SET', \`lock:\${name}\`, 'x', 'NX', 'PX', 8000); }
export async function releaseLock(name: string) { await redis.call('DEL', \`lock:\${name}\`); }`),
      errors: [reported('fixedValue', 3)],
    },
    {
      name: 'the id of the thing that is locked',
      code: ioredis(`export async function lock(orderId: string) { return redis.set(\`lock:order:\${orderId}\`, orderId, 'PX', 8000, 'NX'); }
export async function unlock(orderId: string) { await redis.del(\`lock:order:\${orderId}\`); }`),
      errors: [reported('businessValue', 3)],
    },
    {
      name: 'one uuid for all locks of a service',
      code: service('private readonly id = randomUUID();', 'this.id'),
      errors: [reported('sharedToken', 7)],
    },
    {
      name: 'one uuid for all locks of a module',
      code: `import { randomUUID } from 'node:crypto';\nconst OWNER = randomUUID();\n${service('', 'OWNER')}`,
      errors: [reported('sharedToken', 9)],
    },
    {
      name: 'a helper of another file',
      code: `import { locks } from './locks';
export async function reload(work: () => Promise<void>) {
  const taken = await locks.acquire('lock:routes', 'true', 30000);
  if (!taken) return;
  try { await work(); } finally { await locks.release('lock:routes', 'true'); }
}`,
      errors: [reported('fixedValue', 3)],
    },
  ],
});
