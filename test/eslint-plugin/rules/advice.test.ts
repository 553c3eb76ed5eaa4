import { ruleNamed } from '../plugin.js';
import { ioredis, tester } from '../tester.js';

const RENEW = `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"`;
const RELEASE = `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"`;

/** A lock with a token of its own; `middle` stands between the acquire and the release. */
const locked = (
  middle: string,
  release = `await redis.eval(${RELEASE}, 1, key, token)`,
): string => `import { redis } from './redis';
import { randomUUID } from 'node:crypto';
export async function run(key: string, work: () => Promise<void>, db: any) {
  const token = randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  ${middle}
  const freed = ${release};
  return freed;
}`;

tester.run('no-ignored-lease-loss', ruleNamed('no-ignored-lease-loss'), {
  valid: [
    {
      name: 'the work is aborted',
      code: locked(
        `const abort = new AbortController();\n  const timer = setInterval(async () => { if ((await redis.eval(${RENEW}, 1, key, token, 8000)) !== 1) abort.abort(); }, 2000);\n  await work(); clearInterval(timer);`,
      ),
    },
    {
      name: 'redlock, the new lock kept and the error acted on',
      code: "import Redlock from 'redlock';\nexport class Leader {\n  lock: any;\n  async renew() { try { this.lock = await this.lock.extend(8000); } catch { this.stop(); } }\n  stop() {}\n}",
    },
    {
      name: 'extend of something else',
      code: "import { z } from './z';\nsetInterval(() => { void schema.extend({}); }, 1000);\n// redlock",
    },
    {
      name: 'a loop that asks',
      options: [{ checkLoops: true }],
      code: "import { withLock } from 'lockproof';\nawait withLock(redis, 'k', { ttlMs: 1000 }, async (lease) => { for (const row of rows) { lease.throwIfLost(); await save(row); } });",
    },
    {
      name: 'a loop, by default',
      code: "import { withLock } from 'lockproof';\nawait withLock(redis, 'k', { ttlMs: 1000 }, async () => { for (const row of rows) await save(row); });",
    },
  ],
  invalid: [
    {
      name: 'only errors are heard',
      code: locked(
        `const timer = setInterval(() => { void redis.eval(${RENEW}, 1, key, token, 8000).catch(console.error); }, 2000);\n  await work(); clearInterval(timer);`,
      ),
      errors: [{ messageId: 'droppedRenewal', line: 6 }],
    },
    {
      name: 'a helper that answers, called on a timer',
      code: `import { redis } from './redis';\nconst extendLock = async (key: string, token: string) => (await redis.eval(${RENEW}, 1, key, token, 8000)) === 1;\nexport const keep = (key: string, token: string) => setInterval(() => { void extendLock(key, token); }, 2000);`,
      errors: [{ messageId: 'droppedRenewal', line: 3 }],
    },
    {
      name: 'redlock on a timer',
      code: "import Redlock from 'redlock';\nexport async function run(redlock: Redlock) {\n  const lock = await redlock.acquire(['a'], 8000);\n  const t = setInterval(() => { void lock.extend(8000); }, 4000);\n  await work(); clearInterval(t); await lock.release();\n}",
      errors: [{ messageId: 'droppedRenewal', line: 4 }],
    },
    {
      name: 'redlock, the error in a log',
      code: "import Redlock from 'redlock';\nexport async function run(redlock: Redlock) {\n  const lock = await redlock.acquire(['a'], 8000);\n  setInterval(async () => { try { await lock.extend(8000); } catch (error) { console.error(error); } }, 4000);\n}",
      errors: [{ messageId: 'swallowedLoss', line: 4 }],
    },
    {
      name: 'a timer that nothing stops',
      code: locked(
        `setInterval(async () => { if ((await redis.eval(${RENEW}, 1, key, token, 8000)) !== 1) console.warn('lost'); }, 2000);\n  await work();`,
      ),
      errors: [
        {
          messageId: 'endlessRenewal',
          line: 6,
          suggestions: [
            {
              messageId: 'stopRenewal',
              output: locked(
                `const renewal = setInterval(async () => { if ((await redis.eval(${RENEW}, 1, key, token, 8000)) !== 1) console.warn('lost'); }, 2000);\n  await work();`,
              ).replace('const freed', 'clearInterval(renewal);\n  const freed'),
            },
          ],
        },
      ],
    },
    {
      name: 'a deaf loop, when asked for',
      options: [{ checkLoops: true }],
      code: "import { withLock } from 'lockproof';\nawait withLock(redis, 'k', { ttlMs: 1000 }, async () => { for (const row of rows) await save(row); });",
      errors: [
        {
          messageId: 'deafLoop',
          line: 2,
          suggestions: [
            {
              messageId: 'stopWhenLost',
              output:
                "import { withLock } from 'lockproof';\nawait withLock(redis, 'k', { ttlMs: 1000 }, async (lease) => { for (const row of rows) { lease.throwIfLost(); await save(row); } });",
            },
          ],
        },
      ],
    },
    {
      name: 'redlock.using, when asked for',
      options: [{ checkLoops: true }],
      code: "import Redlock from 'redlock';\nawait redlock.using(['k'], 1000, async () => {\n  while (await next()) {\n    await save();\n  }\n});",
      errors: [
        {
          messageId: 'deafLoop',
          line: 2,
          suggestions: [
            {
              messageId: 'stopWhenLost',
              output:
                "import Redlock from 'redlock';\nawait redlock.using(['k'], 1000, async (signal) => {\n  while (await next()) {\n    if (signal.aborted) throw signal.error;\n    await save();\n  }\n});",
            },
          ],
        },
      ],
    },
    {
      name: 'an awaited renewal in the work itself',
      code: locked(`await work();\n  await redis.eval(${RENEW}, 1, key, token, 8000);\n  await work();`),
      errors: [
        {
          messageId: 'droppedRenewal',
          line: 7,
          suggestions: [
            {
              messageId: 'stopWhenLost',
              output: locked(
                `await work();\n  if (!(await redis.eval(${RENEW}, 1, key, token, 8000))) throw new Error('the lock was lost');\n  await work();`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'redlock, a logged loss in the work itself',
      code: "import Redlock from 'redlock';\nexport async function run(redlock: Redlock) {\n  const lock = await redlock.acquire(['a'], 8000);\n  try {\n    await lock.extend(8000);\n  } catch (error) {\n    console.error(error);\n  }\n}",
      errors: [
        {
          messageId: 'swallowedLoss',
          line: 5,
          suggestions: [
            {
              messageId: 'stopWhenLost',
              output:
                "import Redlock from 'redlock';\nexport async function run(redlock: Redlock) {\n  const lock = await redlock.acquire(['a'], 8000);\n  try {\n    await lock.extend(8000);\n  } catch (error) {\n    console.error(error);\n    throw error;\n  }\n}",
            },
          ],
        },
      ],
    },
  ],
});

tester.run('no-release-without-acquire', ruleNamed('no-release-without-acquire'), {
  valid: [
    {
      name: 'the acquire before the try',
      code: ioredis(
        "export async function run(key: string, work: () => Promise<void>) {\n  if (!(await redis.set(key, 'x', 'PX', 8000, 'NX'))) return;\n  try { await work(); } finally { await redis.del(key); }\n}",
      ),
    },
    {
      name: 'guarded by a flag',
      code: ioredis(
        "export async function run(key: string, work: () => Promise<void>) {\n  let got: unknown;\n  try { got = await redis.set(key, 'x', 'PX', 8000, 'NX'); if (!got) return; await work(); } finally { if (got) await redis.del(key); }\n}",
      ),
    },
  ],
  invalid: [
    {
      name: 'the refused request runs the finally, too',
      code: ioredis(
        "export async function run(key: string, work: () => Promise<void>) {\n  try {\n    const got = await redis.set(key, 'x', 'PX', 8000, 'NX');\n    if (!got) return;\n    await work();\n  } finally {\n    await redis.del(key);\n  }\n}",
      ),
      errors: [{ messageId: 'releaseWithoutAcquire', line: 9, suggestions: 1 }],
    },
  ],
});

tester.run('require-release', ruleNamed('require-release'), {
  valid: [
    {
      name: 'in a finally',
      code: ioredis(
        "export async function run(key: string, work: () => Promise<void>) {\n  if (!(await redis.set(key, 'x', 'PX', 8000, 'NX'))) return;\n  try { await work(); } finally { await redis.del(key); }\n}",
      ),
    },
    {
      name: 'released elsewhere',
      code: "import { redis } from './redis';\nexport async function acquireLock(key: string) { return redis.set(key, crypto.randomUUID(), 'PX', 8000, 'NX'); }",
    },
  ],
  invalid: [
    {
      name: 'a return in between',
      code: locked('if (!db) return;\n  await work();'),
      errors: [{ messageId: 'leavesLocked', line: 6 }],
    },
    {
      name: 'a name of the work is read behind the release',
      code: `import { redis } from './redis';
export async function run(key: string, work: (sql: string) => Promise<void>) {
  const token = crypto.randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  // the work
  const sql = \`a
b\`;

  await work(sql);
  await redis.eval(${RELEASE}, 1, key, token);
  return sql.length;
}`,
      errors: [{ messageId: 'throwsLocked', line: 4 }],
    },
    {
      name: 'repaired by a `finally`; templates keep their text',
      code: `import { redis } from './redis';
export async function run(key: string, work: (sql: string) => Promise<void>) {
  const token = crypto.randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  // the work
  const sql = \`a
b\`;

  await work(sql);
  await redis.eval(${RELEASE}, 1, key, token);
}`,
      errors: [
        {
          messageId: 'throwsLocked',
          line: 4,
          suggestions: [
            {
              messageId: 'releaseInFinally',
              data: { key: 'key' },
              output: `import { redis } from './redis';
export async function run(key: string, work: (sql: string) => Promise<void>) {
  const token = crypto.randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  // the work
  try {
    const sql = \`a
b\`;

    await work(sql);
  } finally {
    await redis.eval(${RELEASE}, 1, key, token);
  }
}`,
            },
          ],
        },
      ],
    },
    {
      name: 'nothing catches',
      code: locked('await work();'),
      errors: [{ messageId: 'throwsLocked', line: 5 }],
    },
  ],
});

const withTtl = (ttl: string): string =>
  ioredis(
    `export async function run(key: string, work: () => Promise<void>) {\n  if (!(await redis.set(key, 'x', ${ttl}, 'NX'))) return;\n  try { await work(); } finally { await redis.del(key); }\n}`,
  );
tester.run('no-guessed-ttl', ruleNamed('no-guessed-ttl'), {
  valid: [
    { name: '8 seconds', code: withTtl("'PX', 8000") },
    { name: '8 seconds in EX', code: withTtl("'EX', 8") },
    { name: 'not a number', code: withTtl("'PX', ttlMs") },
    { name: 'at the P99', code: withTtl("'PX', 8000"), options: [{ p99Ms: 8000 }] },
    {
      name: 'a marker',
      code: ioredis("export const once = (id: string) => redis.set(`seen:${id}`, '1', 'EX', 86400, 'NX');"),
    },
  ],
  invalid: [
    {
      name: '30 to PX',
      code: withTtl("'PX', 30"),
      errors: [
        {
          messageId: 'wrongUnit',
          line: 4,
          suggestions: [{ messageId: 'rightUnit', output: withTtl("'PX', 30000") }],
        },
      ],
    },
    {
      name: '30000 to EX',
      code: withTtl("'EX', 30000"),
      errors: [
        {
          messageId: 'wrongUnit',
          line: 4,
          suggestions: [{ messageId: 'rightUnit', output: withTtl("'EX', 30") }],
        },
      ],
    },
    {
      name: 'an hour without renewal',
      code: withTtl("'EX', 60 * 60"),
      errors: [{ messageId: 'tooLong', line: 4 }],
    },
    {
      name: 'over maxTtlMs',
      code: withTtl("'PX', 20000"),
      options: [{ maxTtlMs: 10000 }],
      errors: [{ messageId: 'tooLong', line: 4 }],
    },
    {
      name: 'below the P99',
      code: withTtl("'PX', 2000"),
      options: [{ p99Ms: 4600 }],
      errors: [{ messageId: 'tooShort', line: 4 }],
    },
  ],
});

tester.run('no-token-in-logs', ruleNamed('no-token-in-logs'), {
  valid: [
    { name: 'its hash', code: locked("console.log('took', hashToken(token));") },
    { name: 'the key', code: locked("console.log('took', key);") },
    { name: 'no log', code: locked('send(token);') },
  ],
  invalid: [
    {
      name: 'an argument',
      code: locked("console.log('took', token);"),
      errors: [{ messageId: 'loggedToken', line: 6, suggestions: 1 }],
    },
    {
      name: 'in a template',
      code: locked('this.logger.debug(`took ${token}`);'),
      errors: [{ messageId: 'loggedToken', line: 6, suggestions: 1 }],
    },
    {
      name: 'in an object',
      code: locked("logger.info({ key, owner: token }, 'took');"),
      errors: [{ messageId: 'loggedToken', line: 6, suggestions: 1 }],
    },
  ].map((c) => ({ ...c, settings: { lockproof: { fixes: 'suggest-only' } } })),
});

tester.run('require-write-guard', ruleNamed('require-write-guard'), {
  valid: [
    {
      name: 'a conditional update',
      code: locked(
        "await db.query('update stock set units = units - $1 where id = $2 and units >= $1', [1, key]);",
      ),
    },
    {
      name: 'a fence',
      code: locked(
        "await db.query('update stock set units = $1, fence = $2 where id = $3 and fence < $2', [1, 2, key]);",
      ),
    },
    { name: 'a read', code: locked("await db.query('select units from stock where id = $1', [key]);") },
    {
      name: 'outside of a lock',
      code: "export const save = (db: any) => db.query('update stock set units = 1 where id = $1', [1]); // NX redis.call",
    },
    {
      name: 'Prisma with a version',
      code: locked('await db.stock.update({ where: { id: key, version: 3 }, data: { units: 1 } });'),
    },
  ],
  invalid: [
    {
      name: 'the row alone',
      code: locked("await db.query('update stock set units = $1 where id = $2', [1, key]);"),
      errors: [{ messageId: 'unguardedWrite', line: 6 }],
    },
    {
      name: 'in a template',
      code: locked('await db.execute(`update stock set units = ${1} where id = ${key} returning units`);'),
      errors: [{ messageId: 'unguardedWrite', line: 6 }],
    },
    {
      name: 'Prisma by id',
      code: locked('await db.stock.update({ where: { id: key }, data: { units: 1 } });'),
      errors: [{ messageId: 'unguardedWrite', line: 6 }],
    },
  ],
});

tester.run('prefer-runtime', ruleNamed('prefer-runtime'), {
  valid: [
    {
      name: 'a wrong lock has other reports',
      code: ioredis(
        "export const lock = (key: string) => redis.set(key, 'x', 'PX', 8000, 'NX');\nexport const unlock = (key: string) => redis.del(key);",
      ),
    },
  ],
  invalid: [
    { name: 'a correct one', code: locked('await work();'), errors: [{ messageId: 'handWritten', line: 5 }] },
    {
      name: 'a lease takes the place of token, script and import',
      code: `import { redis } from './redis';
import { randomUUID } from 'node:crypto';
const RELEASE = ${RELEASE};
export async function run(key: string, work: () => Promise<void>) {
  const token = randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  try {
    await work(); // the stock
  } finally {
    await redis.eval(RELEASE, 1, key, token);
  }
}`,
      errors: [
        {
          messageId: 'handWritten',
          line: 6,
          suggestions: [
            {
              messageId: 'installRuntime',
              output: `import { redis } from './redis';
import { releaseLease, tryAcquireLease } from 'lockproof';
export async function run(key: string, work: () => Promise<void>) {
  const lease = await tryAcquireLease(redis, key, { ttlMs: 8000 });
  if (!lease) return;
  try {
    await work(); // the stock
  } finally {
    await releaseLease(lease);
  }
}`,
            },
          ],
        },
      ],
    },
    {
      name: 'a token that is read elsewhere stays with its owner',
      code: `import { redis } from './redis';
export async function run(key: string, work: (token: string) => Promise<void>) {
  const token = crypto.randomUUID();
  if ((await redis.set(key, token, 'PX', 8000, 'NX')) !== 'OK') return;
  try { await work(token); } finally { await redis.eval(${RELEASE}, 1, key, token); }
}`,
      errors: [{ messageId: 'handWritten', line: 4 }],
    },
  ],
});

tester.run('no-unguarded-script', ruleNamed('no-unguarded-script'), {
  valid: [
    { name: 'compare and delete', code: locked('await work();') },
    {
      name: 'a rate limiter',
      code: ioredis(
        "export const hit = (ip: string) => redis.eval(\"local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end return n\", 1, `rate:${ip}`, 1000);",
      ),
    },
    {
      name: 'a cache',
      code: ioredis(
        'export const drop = (id: string) => redis.eval("return redis.call(\'DEL\', KEYS[1])", 1, `cache:${id}`);',
      ),
    },
  ],
  invalid: [
    {
      name: 'the TTL is renewed by the loser, too',
      code: "import { redis } from './redis';\nconst ACQUIRE = `\nlocal ok = redis.call('SETNX', KEYS[1], ARGV[1])\nredis.call('PEXPIRE', KEYS[1], ARGV[2])\nreturn ok`;\nexport const lock = (key: string, token: string) => redis.eval(ACQUIRE, 1, key, token, 8000);",
      errors: [{ messageId: 'unguardedScript', line: 4, column: 1, endColumn: 40 }],
    },
    {
      name: 'a release that knows the token',
      code: `import { redis } from './redis';
export async function run(id: string, work: () => Promise<void>) {
  const lockKey = \`lock:\${id}\`;
  const token = crypto.randomUUID();
  if (!(await redis.set(lockKey, token, 'PX', 8000, 'NX'))) return;
  try {
    await work();
  } finally {
    await redis.eval("return redis.call('del', KEYS[1])", 1, lockKey);
  }
}`,
      errors: [
        {
          messageId: 'unguardedScript',
          line: 9,
          suggestions: [
            {
              messageId: 'installRuntime',
              output: `import { redis } from './redis';
import { releaseLease } from 'lockproof';
export async function run(id: string, work: () => Promise<void>) {
  const lockKey = \`lock:\${id}\`;
  const token = crypto.randomUUID();
  if (!(await redis.set(lockKey, token, 'PX', 8000, 'NX'))) return;
  try {
    await work();
  } finally {
    await releaseLease(redis, lockKey, token);
  }
}`,
            },
          ],
        },
      ],
    },
  ],
});

tester.run('require-unique-token', ruleNamed('require-unique-token'), {
  valid: [
    {
      name: 'a wrapper without settings',
      code: "import { cache } from './cache';\nexport async function run(work: () => Promise<void>) { await cache.putIfAbsent('lock:a', 'x'); try { await work(); } finally { await cache.drop('lock:a'); } }",
    },
  ],
  invalid: [
    {
      name: 'a wrapper named in the settings',
      settings: { lockproof: { wrappers: { acquire: ['cache.putIfAbsent'], release: ['cache.drop'] } } },
      code: "import { cache } from './cache';\nexport async function run(work: () => Promise<void>) { await cache.putIfAbsent('lock:a', 'x'); try { await work(); } finally { await cache.drop('lock:a'); } }",
      errors: [{ messageId: 'fixedValue', line: 2 }],
    },
    {
      name: 'a wrapper with its own order of arguments',
      settings: {
        lockproof: {
          wrappers: {
            acquire: [{ name: 'take', key: 1, token: 2 }],
            release: [{ name: 'give', key: 1, token: 2 }],
          },
        },
      },
      code: "import { take, give } from './locks';\nexport async function run(ctx: object, work: () => Promise<void>) { await take(ctx, 'lock:a', 'x'); try { await work(); } finally { await give(ctx, 'lock:a', 'x'); } }",
      errors: [{ messageId: 'fixedValue', line: 2 }],
    },
    {
      name: 'a business value handed to a function of the file',
      code: `import { redis } from './redis';
const acquireLock = async (key: string, owner: string) => (await redis.set(key, owner, 'PX', 8000, 'NX')) === 'OK';
const releaseLock = async (key: string, owner: string) => (await redis.eval(${RELEASE}, 1, key, owner)) === 1;
export async function pay(req: any) { await acquireLock('pay:1', req.user.id); await releaseLock('pay:1', req.user.id); }`,
      errors: [{ messageId: 'businessValue', line: 4 }],
    },
  ],
});
