import { ruleNamed } from '../plugin.js';
import { tester } from '../tester.js';

const unchecked = (line: number) => [{ messageId: 'uncheckedRelease', line }];

const SCRIPT = `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"`;

/** A release whose client's origin is not seen, so that the reports stand alone. */
const release = (body: string): string => `import { redis } from './redis';
const UNLOCK = ${SCRIPT};
export async function releaseLock(key: string, token: string) {
  ${body}
}`;

tester.run('no-unchecked-release', ruleNamed('no-unchecked-release'), {
  valid: [
    { name: 'returned', code: release('return redis.eval(UNLOCK, 1, key, token);') },
    {
      name: 'compared',
      code: release("if ((await redis.eval(UNLOCK, 1, key, token)) !== 1) console.warn('lost', key);"),
    },
    {
      name: 'stored and read',
      code: release('const freed = await redis.eval(UNLOCK, 1, key, token);\n  return freed === 1;'),
    },
    {
      name: 'looked at in then',
      code: release(
        "await redis.eval(UNLOCK, 1, key, token).then((freed) => { if (freed !== 1) console.warn('lost'); });",
      ),
    },
    { name: 'handed to a helper', code: release('report(await redis.eval(UNLOCK, 1, key, token));') },
    {
      name: 'looked at in a callback',
      code: release(
        "redis.eval(UNLOCK, 1, key, token, (error, freed) => { if (freed !== 1) console.warn('lost', error); });",
      ),
    },
    {
      name: 'a one-time code',
      code: `import { redis } from './redis';
export async function clearCode(phone: string, code: string) {
  await redis.eval(${SCRIPT}, 1, \`otp:\${phone}\`, code);
}`,
    },
    {
      name: 'another script',
      code: release('await redis.eval(\'return redis.call("INCR", KEYS[1])\', 1, key);'),
    },
    {
      name: 'queued in a pipeline',
      code: release('const p = redis.pipeline();\n  p.eval(UNLOCK, 1, key, token);\n  return p.exec();'),
    },
  ],
  invalid: [
    {
      name: 'a statement',
      code: release('await redis.eval(UNLOCK, 1, key, token);'),
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'void',
      code: release('void redis.eval(UNLOCK, 1, key, token);'),
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'errors only',
      code: release('await redis.eval(UNLOCK, 1, key, token).catch(() => undefined);'),
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'in a promise finally',
      code: release('await work().finally(() => redis.eval(UNLOCK, 1, key, token));'),
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'stored and never read',
      code: release('const freed = await redis.eval(UNLOCK, 1, key, token);'),
      errors: unchecked(4),
    },
    {
      name: 'node-redis',
      code: release('await redis.eval(UNLOCK, { keys: [key], arguments: [token] });'),
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'Upstash',
      code: release('await redis.eval(UNLOCK, [key], [token]);'),
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'a loaded script',
      code: `import { redis } from './redis';
export async function releaseLock(key: string, token: string) {
  const sha = await redis.scriptLoad(${SCRIPT});
  await redis.evalSha(sha, { keys: [key], arguments: [token] });
}`,
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'a custom command',
      code: `import { redis } from './redis';
redis.defineCommand('unlockIt', { numberOfKeys: 1, lua: ${SCRIPT} });
export async function releaseLock(key: string, token: string) {
  await redis.unlockIt(key, token);
}`,
      errors: [{ ...unchecked(4)[0], suggestions: 1 }],
    },
    {
      name: 'a custom command, whose key is a constant of its own: the repair keeps it',
      code: `import { Redis } from 'ioredis';
const redis = new Redis();
redis.defineCommand('unlockIt', { numberOfKeys: 1, lua: ${SCRIPT} });
export async function releaseLock(id: string, token: string) {
  const key = \`order:lock:\${id}\`;
  await redis.unlockIt(key, token);
}`,
      errors: [
        {
          ...unchecked(6)[0],
          suggestions: [
            {
              messageId: 'installRuntime',
              output: `import { Redis } from 'ioredis';
import { releaseLease } from 'lockproof';
const redis = new Redis();
redis.defineCommand('unlockIt', { numberOfKeys: 1, lua: ${SCRIPT} });
export async function releaseLock(id: string, token: string) {
  const key = \`order:lock:\${id}\`;
  await releaseLease(redis, key, token);
}`,
            },
          ],
        },
      ],
    },
    { name: 'DELEX', code: release("await redis.call('DELEX', key, 'IFEQ', token);"), errors: unchecked(4) },
  ],
});
