import { ruleNamed } from '../plugin.js';
import { ioredis, tester } from '../tester.js';

const lock = (body: string, client = "import { redis } from './redis';"): string => `${client}
import { randomUUID } from 'node:crypto';
export async function run(key: string, work: () => Promise<void>) {
  const token = randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  ${body}
}`;
const blind = (line: number) => [{ messageId: 'blindRenew', line }];

tester.run('no-blind-renew', ruleNamed('no-blind-renew'), {
  valid: [
    {
      name: 'a script that compares',
      code: lock(
        `setInterval(async () => { if (!(await redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0", 1, key, token, 8000))) stop(); }, 2000);`,
      ),
    },
    { name: 'another key', code: lock('setInterval(() => redis.expire(`stats:${key}`, 60), 2000);') },
    {
      name: 'a counter',
      code: ioredis(
        'export async function hit(ip: string) { if ((await redis.incr(`hits:${ip}`)) === 1) await redis.expire(`hits:${ip}`, 60); }',
      ),
    },
    {
      name: 'a TTL where there is none',
      code: lock("setInterval(() => redis.expire(key, 60, 'NX'), 2000);"),
    },
    {
      name: 'a session',
      code: ioredis(
        'export async function touch(id: string) { if (await redis.get(`session:${id}`)) await redis.expire(`session:${id}`, 60); }',
      ),
    },
    {
      name: 'the TTL of SETNX',
      code: ioredis(
        'export async function acquireLock(key: string) { if (await redis.setnx(key, crypto.randomUUID())) await redis.expire(key, 8); }',
      ),
    },
    {
      name: 'the generic expire of a service',
      code: "import type { Redis } from 'ioredis';\nexport class LockService {\n  constructor(private redis: Redis) {}\n  async acquire(key: string) { return this.redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'); }\n  async touchUser(id: string) { await this.redis.expire(`user:${id}`, 60); }\n}",
    },
  ],
  invalid: [
    {
      name: 'on a timer, the token at hand',
      code: lock(
        'const beat = setInterval(() => void redis.pexpire(key, 8000), 2000);\n  try { await work(); } finally { clearInterval(beat); }',
      ),
      errors: [{ ...blind(6)[0], suggestions: 1 }],
    },
    {
      name: 'in a sibling method',
      code: "import type { Redis } from 'ioredis';\nexport class Locks {\n  constructor(private redis: Redis) {}\n  async acquire(key: string) { return this.redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'); }\n  async extend(key: string) { return (await this.redis.pexpire(key, 8000)) === 1; }\n}",
      errors: blind(5),
    },
    {
      name: 'SET XX',
      code: lock("setInterval(async () => { await redis.set(key, token, 'XX', 'PX', 8000); }, 2000);"),
      errors: [{ ...blind(6)[0], suggestions: 1 }],
    },
    {
      name: 'compared in the client',
      code: "import { redis } from './redis';\nexport async function renewLock(key: string, token: string) {\n  if ((await redis.get(key)) !== token) return false;\n  await redis.expire(key, 30);\n  return true;\n}",
      errors: [{ messageId: 'compareThenRenew', line: 4, suggestions: 1 }],
    },
  ],
});
