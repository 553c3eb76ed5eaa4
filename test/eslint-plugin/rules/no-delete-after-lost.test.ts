import { ruleNamed } from '../plugin.js';
import { tester } from '../tester.js';

const SCRIPT = `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"`;
const release = (body: string): string => `import { redis } from './redis';
const UNLOCK = ${SCRIPT};
export async function releaseLock(key: string, token: string) {
${body}
}`;
const lost = (line: number) => [{ messageId: 'deleteAfterLost', line }];

tester.run('no-delete-after-lost', ruleNamed('no-delete-after-lost'), {
  valid: [
    { name: 'the release alone', code: release('  return (await redis.eval(UNLOCK, 1, key, token)) === 1;') },
    {
      name: 'another key after it',
      code: release('  await redis.eval(UNLOCK, 1, key, token);\n  await redis.del(`${key}:cache`);'),
    },
    {
      name: 'a DEL in another function',
      code: `${release('  return redis.eval(UNLOCK, 1, key, token);')}\nexport async function dropCache(key: string) { await redis.del(key); }`,
    },
  ],
  invalid: [
    {
      name: 'because it answered 0',
      code: release(
        '  const released = await redis.eval(UNLOCK, 1, key, token);\n  if (released !== 1) {\n    // make sure\n    await redis.del(key);\n  }',
      ),
      output: release(
        '  const released = await redis.eval(UNLOCK, 1, key, token);\n  if (released !== 1) {\n    // make sure\n    /* a 0 means that the lock was lost: it is left to its next holder */\n  }',
      ),
      errors: lost(7),
    },
    {
      name: 'without braces',
      code: release('  if (!(await redis.eval(UNLOCK, 1, key, token))) await redis.del(key);'),
      output: release(
        '  if (!(await redis.eval(UNLOCK, 1, key, token))) { /* a 0 means that the lock was lost: it is left to its next holder */ }',
      ),
      errors: lost(4),
    },
    {
      name: 'after it, whatever it answered',
      code: release('  await redis.eval(UNLOCK, 1, key, token);\n  await redis.del(key);'),
      output: release(
        '  await redis.eval(UNLOCK, 1, key, token);\n  /* a 0 means that the lock was lost: it is left to its next holder */',
      ),
      errors: lost(5),
    },
    {
      name: 'as an answer: no fix',
      code: release(
        '  const n = Number(await redis.eval(UNLOCK, 1, key, token));\n  if (n === 0) return redis.del(key);\n  return n;',
      ),
      errors: lost(5),
    },
  ],
});
