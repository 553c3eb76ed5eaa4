/** Any program made of lock fragments: no crash, fixes converge within two passes, what comes out parses. */
import tsParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { root } from './lint.js';
import { plugin } from './plugin.js';

const all = plugin.configs.all;
const FILE = join(root, 'src.ts');

function verify(code: string, fix: boolean): { output: string; messages: Linter.LintMessage[] } {
  const linter = new Linter({ configType: 'flat', cwd: root });
  const configs: Linter.Config[] = [
    { files: ['**/*.ts'], languageOptions: { parser: tsParser } },
    { ...all, files: ['**/*.ts'] },
  ];
  if (!fix) return { output: code, messages: linter.verify(code, configs, { filename: FILE }) };
  return linter.verifyAndFix(code, configs, { filename: FILE });
}

const client = fc.constantFrom(
  'redis',
  'this.redis',
  'getRedis()',
  'client',
  'cache',
  '(redis as any)',
  'redis.multi()',
);
const key = fc.constantFrom(
  'key',
  "'lock:a'",
  '`lock:${id}`',
  'this.key',
  'keyOf(id)',
  "'cache:' + id",
  'KEYS.lock',
  '...keys',
);
const value = fc.constantFrom(
  'token',
  "'locked'",
  '1',
  'Date.now()',
  'randomUUID()',
  'this.id',
  'owner',
  'String(process.pid)',
  'Math.random()',
);
const options = fc.constantFrom(
  "'PX', 8000, 'NX'",
  "'NX', 'EX', 30",
  '{ NX: true, PX: 8000 }',
  '{ nx: true, ex: 8 }',
  "'NX'",
  '',
  "'XX', 'PX', 5",
  "{ condition: 'NX' }",
  "'PX', 30, 'NX'",
);
const LUA = fc.constantFrom(
  `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"`,
  `"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"`,
  `"return redis.call('del', KEYS[1])"`,
  '`local x = ${id}`',
  "'not lua ('",
);

const command = fc.oneof(
  fc.tuple(client, key, value, options).map(([c, k, v, o]) => `${c}.set(${k}, ${v}${o && `, ${o}`})`),
  fc.tuple(client, key, value).map(([c, k, v]) => `${c}.setnx(${k}, ${v})`),
  fc
    .tuple(client, fc.constantFrom('del', 'unlink', 'get', 'exists', 'watch'), key)
    .map(([c, m, k]) => `${c}.${m}(${k})`),
  fc.tuple(client, fc.constantFrom('expire', 'pexpire'), key).map(([c, m, k]) => `${c}.${m}(${k}, 30)`),
  fc.tuple(client, LUA, key, value).map(([c, s, k, v]) => `${c}.eval(${s}, 1, ${k}, ${v})`),
  fc
    .tuple(client, LUA, key, value)
    .map(([c, s, k, v]) => `${c}.eval(${s}, { keys: [${k}], arguments: [${v}] })`),
);

const reply = fc.oneof(
  command.map((c) => `await ${c};`),
  command.map((c) => `void ${c}.catch(() => undefined);`),
  command.map((c) => `const ok = await ${c};\nif (!ok) return;`),
  command.map((c) => `if ((await ${c}) !== 'OK') return;`),
  fc.tuple(command, command).map(([a, b]) => `if (await ${a}) { await ${b}; }`),
  fc.tuple(command, command).map(([a, b]) => `if ((await ${a}) === token) await ${b};`),
  fc.tuple(command, command).map(([a, b]) => `try { await ${a}; } finally { await ${b}; }`),
  fc.tuple(command, command).map(([a, b]) => `try { await ${a}; } catch { /* kept */ await ${b}; }`),
  command.map((c) => `setInterval(() => ${c}, 1000);`),
  command.map((c) => `console.log(token, await ${c});`),
  fc.constant('// a comment'),
  fc.constant('await work();'),
);

const functionOf = (name: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(name, fc.array(reply, { minLength: 1, maxLength: 5 }))
    .map(
      ([n, body]) =>
        `async ${n}(key: string, token: string, id: string) {\n${body.map((line) => `{\n${line}\n}`).join('\n')}\n}`,
    );
const name = fc.constantFrom(
  'acquireLock',
  'releaseLock',
  'renewLock',
  'run',
  'drop',
  'take',
  'forceUnlock',
  'del',
);

const program = fc
  .tuple(
    fc.array(functionOf(name.map((n) => `function ${n}`)), { maxLength: 3 }),
    fc.array(functionOf(name), { maxLength: 4 }),
  )
  .map(
    ([functions, methods]) =>
      `import { randomUUID } from 'node:crypto';\nimport { Redis } from 'ioredis';\nconst redis = new Redis();\nconst keyOf = (id: string) => \`lock:\${id}\`;\n${functions.join('\n')}\nexport class LockService {\nprivate id = randomUUID();\nconstructor(private redis: Redis, private key: string) {}\n${methods.join('\n')}\n}\n`,
  );

const RUNS = process.env.FULL ? 2_000 : 150;

test('no crash, no syntax error, and a fixed point after two passes of fixes', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(program, (code) => {
      const before = verify(code, false).messages;
      fc.pre(!before.some((message) => message.fatal));
      const once = verify(code, true);
      expect(once.messages.filter((message) => message.fatal)).toEqual([]);
      const twice = verify(once.output, true);
      expect(twice.output).toBe(once.output);
      expect(twice.messages.filter((message) => message.fix)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('every suggestion of any program parses', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(program, (code) => {
      for (const message of verify(code, false).messages) {
        for (const { fix } of message.suggestions ?? []) {
          const output = code.slice(0, fix.range[0]) + fix.text + code.slice(fix.range[1]);
          expect(verify(output, false).messages.filter((m) => m.fatal)).toEqual([]);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
