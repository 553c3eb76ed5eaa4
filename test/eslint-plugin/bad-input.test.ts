/** No file makes the linter crash, hang or report from nowhere. */
import * as espree from 'espree';
import tsParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import { plugin } from './plugin.js';

const WRONG = `export async function run(redis, key, work) {
  const ok = await redis.set(key, 'locked', 'PX', 8000, 'NX');
  if (!ok) return;
  try { await work(); } finally { await redis.del(key); }
}
`;
const RULES = ['lockproof/require-unique-token', 'lockproof/no-blind-release'];

function rulesIn(
  code: string,
  filename = 'file.ts',
  parser: object = tsParser,
  sourceType: 'module' | 'commonjs' | 'script' = 'module',
): (string | null)[] {
  const linter = new Linter({ configType: 'flat' });
  const config: Linter.Config = {
    files: ['**/*.*'],
    languageOptions: {
      parser: parser,
      sourceType,
      parserOptions: { ecmaFeatures: { jsx: true } },
    },
  };
  const all = plugin.configs.all;
  return linter
    .verify(code, [config, { ...all, files: ['**/*.*'] }], { filename })
    .map((m) => (m.fatal ? 'fatal' : m.ruleId));
}

test('a file that does not parse has one message, and it is the parser', () => {
  expect(rulesIn(`${WRONG}\nfunction (`)).toEqual(['fatal']);
});

test.each([
  ['an empty file', ''],
  ['white space', '\n\n  \n'],
  ['a comment alone', '// NX setnx eval lock del('],
  ['a hashbang alone', '#!/usr/bin/env node\n'],
  ['conflict-free strings', "const text = \"redis.set(key, 'locked', 'NX')\";"],
])('%s: nothing', (_, code) => {
  expect(rulesIn(code)).toEqual([]);
});

test.each([
  ['a BOM', `\uFEFF${WRONG}`],
  ['CRLF', WRONG.replaceAll('\n', '\r\n')],
  ['one line, minified', WRONG.replaceAll(/\s+/g, ' ')],
  ['surrogate pairs before it', `const emoji = '😀😀😀';\n${WRONG}`],
])('%s: the same reports', (_, code) => {
  expect(rulesIn(code)).toEqual(RULES);
  expect(rulesIn(code, 'file.js', espree)).toEqual(RULES);
});

test('JSX', () => {
  expect(
    rulesIn(
      `export const View = () => <div onClick={() => store.del('lock')}>{'NX'}</div>;\n${WRONG}`,
      'file.tsx',
    ),
  ).toEqual(RULES);
});

test('decorators, parameter properties, abstract classes and overloads', () => {
  const code = `
@Injectable()
export abstract class Locks {
  constructor(@Inject('redis') private readonly redis: Redis, readonly name = 'x') {}
  async lock(key: string): Promise<boolean>;
  @Log() async lock(key: string, ttl?: number): Promise<boolean> { return (await this.redis.set(key, '1', 'PX', ttl ?? 1000, 'NX')) === 'OK'; }
  abstract other(): void;
  declare readonly later: string;
  accessor state = 1;
  static { setup(); }
  async unlock(key: string) { await this.redis.del(key); }
}`;
  expect(rulesIn(code)).toEqual(RULES);
});

test.each(['module', 'commonjs', 'script'] as const)(
  '.cts with import = require and export =, as %s',
  (sourceType) => {
    const code = `import Redis = require('ioredis');\nconst redis = new Redis();\n${WRONG.replace('export ', '')}\nexport = run;`;
    expect(rulesIn(code, 'file.cts', tsParser, sourceType)).toEqual(RULES);
  },
);

test.each(['commonjs', 'script'] as const)('sibling functions of a %s file', (sourceType) => {
  const code = `const redis = new (require('ioredis'))();
const keyOf = (id) => 'lock:' + id;
exports.lock = (id) => redis.set(keyOf(id), 'x', 'NX', 'PX', 3000);
exports.unlock = (id) => redis.del(keyOf(id));`;
  expect(rulesIn(code, 'file.js', espree, sourceType)).toEqual(RULES);
});

test('the script text of a .vue file', () => {
  expect(rulesIn(`\n\n${WRONG}`, 'component.vue')).toEqual(RULES);
});

describe('odd syntax around commands', () => {
  test.each([
    'redis.set();',
    'redis.set(...args, "NX");',
    'redis?.["set"]?.(`a${b}`, 1, "NX")?.then?.();',
    'const { set } = redis; set("a", "b", "NX"); redis.del();',
    'redis.eval(); redis.eval(script); redis.eval(script, n, ...rest); redis.evalsha(sha, {});',
    'class A { #r; #key = `lock:${this.#r}`; async lock() { await this.#r.set(this.#key, this.#key, "NX"); } async unlock() { await this.#r.del(this.#key); } }',
    'let key = key; const a = b, b = a; redis.set(a, b, "NX", "PX", a); redis.del(b);',
    'function f(k) { return f(k); } redis.set(f(1), f(2), "NX"); redis.del(f(1));',
    'const g = () => g(); redis.set(g(), g(), "NX"); redis.del(g());',
    'for (const k of keys) { redis.set(k, k, "NX"); redis.del(k); }',
    'for (const [k, v] of Object.entries(x)) { redis.set(k, v, "NX"); redis.del(k); }',
    'export default class extends (class {}) { lock = (k) => redis.set(k, "1", "NX"); unlock = (k) => redis.del(k); }',
    'redis.defineCommand(); redis.defineCommand("x"); redis.defineCommand("x", {}); redis.x();',
    'redis.multi().set("a", 1, "NX").del("a").exec();',
    'label: while (await redis.set("lock", 1, "NX")) { break label; }',
    'const { a: { b = redis.set("lock:a", 1, "NX") } = {} } = c; redis.del("lock:a");',
    'redis.get("lock", (e, { v }) => { if (v === t) redis.del("lock"); });',
    'new Promise(r => redis.set("lock", 1, "NX", r)).finally(redis.del.bind(redis, "lock"));',
    'import("redis").then(({ createClient }) => createClient().set("lock", "1", { NX: true }));',
  ])('%s', (code) => {
    expect(rulesIn(code)).not.toContain('fatal');
  });
});

test('50,000 lines with a lock at the end', () => {
  const code = `${"cache.get('a');\n".repeat(50_000)}${WRONG}`;
  expect(rulesIn(code)).toEqual(RULES);
});

test('a deep nest of calls and a long chain', () => {
  const deep = `${'f('.repeat(500)}redis.set('lock', '1', 'NX')${')'.repeat(500)};`;
  const chain = `redis.multi()${".set('lock', '1', 'NX')".repeat(300)}.exec();`;
  expect(rulesIn(deep)).not.toContain('fatal');
  expect(rulesIn(chain)).not.toContain('fatal');
});

test('a text without scopes (another language) is left alone', () => {
  const language = {
    fileType: 'text',
    lineStart: 1,
    columnStart: 0,
    nodeTypeKey: 'type',
    validateLanguageOptions: () => undefined,
    parse: ({ body }: { body: string }) => ({
      ok: true,
      ast: {
        type: 'Root',
        range: [0, body.length],
        loc: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } },
      },
    }),
    createSourceCode: ({ body }: { body: string }, { ast }: { ast: object }) => ({
      text: body,
      ast,
      visitorKeys: { Root: [] },
      traverse: () => [
        { kind: 1, phase: 1, target: ast, args: [ast, null] },
        { kind: 1, phase: 2, target: ast, args: [ast, null] },
      ],
      getLoc: (node: { loc: object }) => node.loc,
      getRange: (node: { range: number[] }) => node.range,
    }),
  };
  const linter = new Linter({ configType: 'flat' });
  const configs = [
    { files: ['**/*.txt'], language: 'plain/text', plugins: { plain: { languages: { text: language } } } },
    { ...plugin.configs.all, files: ['**/*.txt'] },
  ] as unknown as Linter.Config[];
  expect(linter.verify(WRONG, configs, { filename: 'a.txt' })).toEqual([]);
});
