/** The packed plugin, installed as users install it: ESLint 8, 9 and 10, every kind of config, with and without TypeScript. */
import type { ExecFileOptions } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const bin = join(path, 'node_modules/eslint/bin/eslint.js');
  const env = { ...process.env, ESLINT_USE_FLAT_CONFIG: 'true' };
  const stdout = await outputOf(process.execPath, [bin, '--format', 'json', ...args, 'src'], {
    cwd: path,
    env,
  });
  return (JSON.parse(stdout) as { messages: Message[] }[]).flatMap((result) => result.messages);
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
    expect(await eslint(path, ['--fix'])).toEqual([]);
    const fixed = readFileSync(join(path, fixture.source[0]), 'utf8');
    expect(fixed).toContain('await tryAcquireLease(redis, key, { ttlMs: 8000 })');
    expect(fixed).toContain('await releaseLease(lease)');
  });
});

test('oxlint runs the same rules with the same findings', async () => {
  const path = project({
    name: 'oxlint',
    type: 'module',
    config: [
      '.oxlintrc.json',
      JSON.stringify({
        jsPlugins: ['eslint-plugin-lockproof'],
        categories: { correctness: 'off' },
        rules: { 'lockproof/require-unique-token': 'error', 'lockproof/no-blind-release': 'error' },
      }),
    ],
    source: ['src/a.js', JAVASCRIPT],
  });
  await install(path, ['oxlint@1.94.0', 'eslint@10', tarballs['eslint-plugin'] ?? '']);
  const bin = join(path, 'node_modules/.bin/oxlint');
  const stdout = await outputOf(bin, ['--format', 'json', 'src'], { cwd: path });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[];
  };
  const found = diagnostics.map(({ code, labels }) => `${String(labels[0]?.span.line)} ${code}`);
  expect(found.sort()).toEqual(['4 lockproof(require-unique-token)', '6 lockproof(no-blind-release)']);
});

test.each([
  ['eslint-plugin', ['publint']],
  ['runtime', ['publint']],
  ['eslint-plugin', ['attw', '--pack', '.', '--profile', 'esm-only']],
  ['runtime', ['attw', '--pack', '.', '--profile', 'node16']],
])('%s passes %j', async (name, [tool = '', ...args]) => {
  await run(join(root, 'node_modules/.bin', tool), args, { cwd: join(root, name) });
});
