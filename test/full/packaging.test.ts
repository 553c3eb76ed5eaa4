/** The packed plugin, installed as users install it: ESLint 8, 9 and 10, every kind of config, with and without TypeScript. */
import type { ExecFileOptions } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { install, pack, root, run, writeProject } from './support.js';

let folder: string;
const tarballs: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockproof-packed-'));
  for (const name of ['eslint-plugin', 'runtime']) tarballs[name] = await pack(name, folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const TYPESCRIPT = `import { Redis } from 'ioredis';
const redis = new Redis();
export async function run(key: string, work: () => Promise<void>): Promise<void> {
  const ok = await redis.set(key, 'locked', 'PX', 8000, 'NX');
  if (!ok) return;
  try { await work(); } finally { await redis.del(key); }
}
`;
const JAVASCRIPT = TYPESCRIPT.replaceAll(/: (?:string|Promise<void>|\(\) => Promise<void>)/g, '');
const COMMONJS = JAVASCRIPT.replace(
  "import { Redis } from 'ioredis';",
  "const { Redis } = require('ioredis');",
).replace('export async function run', 'exports.run = async function run');
const FOUND = ['4 lockproof/require-unique-token', '6 lockproof/no-blind-release'];

interface Fixture {
  name: string;
  packages: string[];
  type: 'module' | 'commonjs';
  config: [file: string, text: string];
  source: [file: string, text: string];
  flags?: string[];
}

const PLAIN = 'export default [lockproof.configs.recommended];';
const esm = (text: string): string => `import lockproof from 'eslint-plugin-lockproof';\n${text}\n`;
const TS_PARSER = ['@typescript-eslint/parser@8', 'typescript@~6.0.3'];
const TS_CONFIG = `import parser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';
export default defineConfig([{ files: ['**/*.ts'], languageOptions: { parser }, extends: [lockproof.configs.recommended] }]);`;

const fixtures: Fixture[] = [
  {
    name: 'ESLint 8.57, ESM config, no TypeScript',
    packages: ['eslint@8.57.1'],
    type: 'module',
    config: ['eslint.config.js', esm(PLAIN)],
    source: ['src/a.js', JAVASCRIPT],
  },
  {
    name: 'ESLint 8.57, CommonJS config',
    packages: ['eslint@8.57.1'],
    type: 'commonjs',
    config: [
      'eslint.config.js',
      "const lockproof = require('eslint-plugin-lockproof');\nmodule.exports = [lockproof.configs.recommended, { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } }];\n",
    ],
    source: ['src/a.js', COMMONJS],
  },
  {
    name: 'ESLint 9, defineConfig with a name in extends, no TypeScript',
    packages: ['eslint@9'],
    type: 'module',
    config: [
      'eslint.config.js',
      esm(
        "import { defineConfig } from 'eslint/config';\nexport default defineConfig([{ plugins: { lockproof }, extends: ['lockproof/recommended'] }]);",
      ),
    ],
    source: ['src/a.js', JAVASCRIPT],
  },
  {
    name: 'ESLint 9, TypeScript parser',
    packages: ['eslint@9', ...TS_PARSER],
    type: 'module',
    config: ['eslint.config.js', esm(TS_CONFIG)],
    source: ['src/a.ts', TYPESCRIPT],
  },
  {
    name: 'ESLint 10, plain config, cached and concurrent',
    packages: ['eslint@10'],
    type: 'module',
    config: ['eslint.config.js', esm(PLAIN)],
    source: ['src/a.js', JAVASCRIPT],
    flags: ['--cache', '--concurrency', '2'],
  },
  {
    name: 'ESLint 10, CommonJS config',
    packages: ['eslint@10'],
    type: 'commonjs',
    config: [
      'eslint.config.cjs',
      "const lockproof = require('eslint-plugin-lockproof');\nmodule.exports = [lockproof.configs.recommended];\n",
    ],
    source: ['src/a.js', COMMONJS],
  },
  {
    name: 'ESLint 10, TypeScript config and parser',
    packages: ['eslint@10', 'jiti@2', ...TS_PARSER],
    type: 'module',
    config: ['eslint.config.ts', esm(TS_CONFIG)],
    source: ['src/a.ts', TYPESCRIPT],
  },
];

function project({
  name,
  type,
  config,
  source,
}: Pick<Fixture, 'name' | 'type' | 'config' | 'source'>): string {
  const path = join(folder, name.replaceAll(/\W+/g, '-'));
  writeProject(path, type, Object.fromEntries([config, source]));
  return path;
}

interface Message {
  ruleId: string;
  line: number;
}

interface Result {
  filePath: string;
  messages: Message[];
}

/** What a linter prints: it ends with 1 when it has found something. */
async function outputOf(program: string, args: string[], options: ExecFileOptions): Promise<string> {
  try {
    return String((await run(program, args, options)).stdout);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (!stdout) throw new Error(stderr ?? String(error));
    return stdout;
  }
}

async function eslint(path: string, args: string[]): Promise<Message[]> {
  return (await eslintResults(path, args)).flatMap((result) => result.messages);
}

async function eslintResults(path: string, args: string[]): Promise<Result[]> {
  const bin = join(path, 'node_modules/eslint/bin/eslint.js');
  const env = { ...process.env, ESLINT_USE_FLAT_CONFIG: 'true' };
  const stdout = await outputOf(process.execPath, [bin, '--format', 'json', ...args, 'src'], {
    cwd: path,
    env,
  });
  return JSON.parse(stdout) as Result[];
}

describe.each(fixtures)('$name', (fixture) => {
  test('finds the wrong lock, and repairs it once the runtime is installed', async () => {
    const path = project(fixture);
    await install(path, [...fixture.packages, tarballs['eslint-plugin'] ?? '']);
    const typescript = fixture.packages.some((name) => name.startsWith('typescript'));
    expect(existsSync(join(path, 'node_modules/typescript'))).toBe(typescript);
    const flags = [
      ...(fixture.source[0].endsWith('.ts') && fixture.packages[0]?.startsWith('eslint@8')
        ? ['--ext', '.ts']
        : []),
      ...(fixture.flags ?? []),
    ];
    const messages = await eslint(path, flags);
    expect(messages.map(({ line, ruleId }) => `${String(line)} ${ruleId}`)).toEqual(FOUND);
    await install(path, [tarballs.runtime ?? '']);
    expect(await eslint(path, [...flags, '--fix'])).toEqual([]);
    const fixed = readFileSync(join(path, fixture.source[0]), 'utf8');
    expect(fixed).toContain('await tryAcquireLease(redis, key, { ttlMs: 8000 })');
    expect(fixed).toContain('await releaseLease(lease)');
  });
});

/** Writes down each file that ESLint really lints. */
const WITNESS = `import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
const seen = { create: ({ filename }) => (appendFileSync('linted.log', basename(filename) + '\\n'), {}) };
export default [lockproof.configs.recommended, { plugins: { witness: { rules: { seen } } }, rules: { 'witness/seen': 'error' } }];`;

describe.each(['eslint@9', 'eslint@10'])('many files with %s', (version) => {
  const NAMES = ['a.js', 'b.js', 'c.js', 'd.js', 'e.js', 'f.js'];
  let path: string;

  beforeAll(async () => {
    path = project({
      name: `many files ${version}`,
      type: 'module',
      config: ['eslint.config.js', esm(WITNESS)],
      source: ['src/a.js', JAVASCRIPT],
    });
    for (const name of NAMES) writeFileSync(join(path, 'src', name), JAVASCRIPT);
    await install(path, [version, tarballs['eslint-plugin'] ?? '']);
  });

  /** The findings of a run, and the files that were linted for it. */
  async function findings(args: string[]): Promise<{ results: Result[]; linted: string[] }> {
    const log = join(path, 'linted.log');
    rmSync(log, { force: true });
    const results = await eslintResults(path, args);
    const linted = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').sort() : [];
    return { results, linted };
  }

  test('two threads find what one finds', async () => {
    const one = await findings(['--concurrency', 'off']);
    const two = await findings(['--concurrency', '2']);
    expect(
      one.results.map(({ messages }) => messages.map(({ line, ruleId }) => `${line} ${ruleId}`)),
    ).toEqual(NAMES.map(() => FOUND));
    expect(two).toEqual(one);
  });

  test('a cached run finds the same, and lints anew what has changed', async () => {
    const first = await findings(['--cache']);
    expect(first.linted).toEqual(NAMES);
    expect(await findings(['--cache'])).toEqual({ results: first.results, linted: [] });

    writeFileSync(join(path, 'src/b.js'), JAVASCRIPT.replace("'NX'", "'XX'"));
    const changed = await findings(['--cache']);
    expect(changed.linted).toEqual(['b.js']);
    expect(changed.results).not.toEqual(first.results);
    writeFileSync(join(path, 'src/b.js'), JAVASCRIPT);
    expect(await findings(['--cache'])).toEqual({ results: first.results, linted: ['b.js'] });

    const config = join(path, 'eslint.config.js');
    const before = readFileSync(config, 'utf8');
    writeFileSync(config, before.replace('configs.recommended', 'configs.strict'));
    expect((await findings(['--cache'])).linted).toEqual(NAMES);
    writeFileSync(config, before);
    expect((await findings(['--cache'])).linted).toEqual(NAMES);
  });

  test('another version of the plugin makes the cache void', async () => {
    await findings(['--cache']);
    expect((await findings(['--cache'])).linted).toEqual([]);
    const installed = join(path, 'node_modules/eslint-plugin-lockproof');
    for (const file of ['package.json', 'dist/plugin.js']) {
      const text = readFileSync(join(installed, file), 'utf8');
      const newer = text.replace(/(["']?version["']?: |VERSION = )(["'])\d+\.\d+\.\d+\2/i, '$1$2999.0.0$2');
      expect(newer).not.toBe(text);
      writeFileSync(join(installed, file), newer);
    }
    expect((await findings(['--cache'])).linted).toEqual(NAMES);
  });
});

test('oxlint runs the same rules with the same findings on all lock files to repair', async () => {
  const config = `import parser from '@typescript-eslint/parser';
const languageOptions = { parser };
export default [{ ...lockproof.configs.all, files: ['**/*.{ts,mjs,cjs,js}'], languageOptions }];`;
  const path = project({
    name: 'oxlint',
    type: 'module',
    config: ['eslint.config.js', esm(config)],
    source: ['src/a.js', JAVASCRIPT],
  });
  const repairs = join(root, 'test/eslint-plugin/fixtures/repairs');
  for (const name of readdirSync(repairs))
    cpSync(join(repairs, name), join(path, 'src', name), { recursive: true });
  await install(path, ['oxlint@1.94.0', 'eslint@10', ...TS_PARSER, tarballs['eslint-plugin'] ?? '']);
  const ofEslint = (await eslintResults(path, [])).flatMap(({ filePath, messages }) =>
    messages.map(({ line, ruleId }) => `${relative(path, filePath)}:${line} ${ruleId}`),
  );

  const installed = (await import(
    pathToFileURL(join(path, 'node_modules/eslint-plugin-lockproof/dist/plugin.js')).href
  )) as { default: { configs: { all: { rules: Record<string, unknown> } } } };
  const { rules } = installed.default.configs.all;
  writeFileSync(
    join(path, '.oxlintrc.json'),
    JSON.stringify({
      jsPlugins: ['eslint-plugin-lockproof'],
      categories: { correctness: 'off' },
      rules,
    }),
  );
  const bin = join(path, 'node_modules/.bin/oxlint');
  const stdout = await outputOf(bin, ['--format', 'json', 'src'], { cwd: path });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[];
  };
  const ofOxlint = diagnostics.map(
    ({ code, filename, labels }) =>
      `${filename}:${labels[0]?.span.line ?? 0} ${code.replace('(', '/').replace(')', '')}`,
  );
  expect(ofEslint).toEqual(expect.arrayContaining(FOUND.map((found) => `src/a.js:${found}`)));
  expect(ofOxlint.sort()).toEqual(ofEslint.sort());
});

test.each([
  ['eslint-plugin', ['publint']],
  ['runtime', ['publint']],
  ['eslint-plugin', ['attw', '--pack', '.', '--profile', 'esm-only']],
  ['runtime', ['attw', '--pack', '.', '--profile', 'node16']],
])('%s passes %j', async (name, [tool = '', ...args]) => {
  await run(join(root, 'node_modules/.bin', tool), args, { cwd: join(root, name) });
});
