import { ruleNamed } from '../plugin.js';
import { tester } from '../tester.js';

const compared = (line: number) => [{ messageId: 'compareInClient', line }];

/** A release function of the token's holder; the client's origin is not seen. */
const release = (body: string): string => `import { redis } from './redis';
export async function releaseLock(key: string, token: string) {
${body}
}`;

tester.run('no-get-then-del', ruleNamed('no-get-then-del'), {
  valid: [
    {
      name: 'a one-time code',
      code: `import type Redis from 'ioredis';
export class Codes {
  constructor(private readonly redis: Redis) {}
  issue(phone: string, code: string) { return this.redis.set(\`otp:\${phone}\`, code, 'EX', 300, 'NX'); }
  async verify(phone: string, entered: string) {
    if ((await this.redis.get(\`otp:\${phone}\`)) !== entered) return false;
    await this.redis.del(\`otp:\${phone}\`);
    return true;
  }
}`,
    },
    {
      name: 'a stale cache entry',
      code: `import { redis } from './redis';
export async function dropIfStale(id: string, etag: string) {
  if ((await redis.get(\`row:\${id}\`)) !== etag) await redis.del(\`row:\${id}\`);
}`,
    },
    {
      name: 'another key',
      code: release('  if ((await redis.get(key)) === token) await redis.del(`${key}:waiters`);'),
    },
    {
      name: 'WATCH on a connection of its own',
      code: release(`  const own = redis.duplicate();
  await own.watch(key);
  if ((await own.get(key)) !== token) return false;
  return (await own.multi().del(key).exec()) !== null;`),
    },
    {
      name: 'compared inside Redis',
      code: release(
        "  return redis.eval(\"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0\", 1, key, token);",
      ),
    },
  ],
  invalid: [
    {
      name: 'in one condition',
      code: release('  if ((await redis.get(key)) === token) {\n    return redis.del(key);\n  }'),
      errors: compared(4),
    },
    {
      name: 'early return',
      code: release(
        '  const current = await redis.get(key);\n  if (!current || current !== token) return;\n  await redis.del(key);',
      ),
      errors: compared(5),
    },
    {
      name: 'early throw on some ways only',
      code: release(
        "  if (token) {\n    const current = await redis.get(key);\n    if (current !== token) throw new Error('lost');\n  }\n  await redis.del(key);",
      ),
      errors: compared(7),
    },
    {
      name: 'a field of JSON',
      code: release(
        '  const raw = await redis.get(key);\n  const lock = raw ? JSON.parse(raw) : null;\n  if (lock?.owner === token) await redis.del(key);',
      ),
      errors: compared(5),
    },
    {
      name: 'ternary',
      code: release('  return (await redis.get(key)) === token ? redis.del(key) : 0;'),
      errors: compared(3),
    },
    {
      name: 'nested callbacks',
      code: "const redis = require('./redis');\nexports.unlock = (key, token, done) => {\n  redis.get(key, (error, current) => {\n    if (current === token) redis.del(key, done);\n  });\n};",
      errors: compared(4),
    },
    {
      name: 'promise chain',
      code: release(
        '  return redis.get(key).then((current) => {\n    if (current === token) return redis.del(key);\n  });',
      ),
      errors: compared(4),
    },
    {
      name: 'the comparison in a method of its own',
      code: `import type Redis from 'ioredis';
export class Mutex {
  private readonly token = crypto.randomUUID();
  constructor(private readonly redis: Redis, private readonly key: string) {}
  lock() { return this.redis.set(this.key, this.token, 'PX', 8000, 'NX'); }
  private async isMine() { return (await this.redis.get(this.key)) === this.token; }
  async unlock() {
    if (!(await this.isMine())) throw new Error('lost');
    await this.redis.unlink(this.key);
  }
}`,
      errors: compared(9),
    },
    {
      name: 'many keys through a pipeline',
      code: `import type Redis from 'ioredis';
export class OwnedLocks {
  readonly owner = crypto.randomUUID();
  constructor(private readonly redis: Redis) {}
  take(name: string) { return this.redis.set(\`owned:\${name}\`, this.owner, 'PX', 8000, 'NX'); }
  async releaseAll(names: string[]) {
    const keys = names.map((name) => \`owned:\${name}\`);
    const owners = await this.redis.mget(...keys);
    const pipeline = this.redis.pipeline();
    owners.forEach((owner, i) => { if (owner === this.owner) pipeline.del(keys[i]); });
    await pipeline.exec();
  }
}`,
      errors: compared(10),
    },
  ],
});
