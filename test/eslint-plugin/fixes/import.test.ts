import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import tsParser from '@typescript-eslint/parser';
import { Linter, type ESLint } from 'eslint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { javascript, typescript, type ImportCase } from './import-cases.js';

const rulePath = join(import.meta.dirname, 'fixtures/import-rule.mjs');
const { default: plugin } = (await import(pathToFileURL(rulePath).href)) as { default: ESLint.Plugin };

const root = join(import.meta.dirname, '../../..');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockproof-import-'));
  write('esm/package.json', '{"type":"module"}');
  write('cjs/package.json', '{}');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

type Parser = 'espree, as a module' | 'espree, as CommonJS' | 'TypeScript';

const languages: Record<Parser, Linter.LanguageOptions> = {
  'espree, as a module': { sourceType: 'module' },
  'espree, as CommonJS': { sourceType: 'commonjs' },
  TypeScript: { parser: tsParser },
};

/** The text after all passes; throws where it does not parse. */
function fixed(code: string, file: string, parser: Parser): string {
  const linter = new Linter({ configType: 'flat', cwd: folder });
  const config: Linter.Config = {
    files: ['**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx,vue}'],
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { test: plugin },
    rules: { 'test/bring': 'error' },
    languageOptions: {
      parserOptions: { ecmaFeatures: { jsx: !file.endsWith('.ts') } },
      ...languages[parser],
    },
  };
  const { output, messages } = linter.verifyAndFix(code, [config], { filename: join(folder, file) });
  const fatal = messages.find((message) => message.fatal);
  if (fatal) throw new Error(`${fatal.message} in\n${output}`);
  return output;
}

/** The linter's own idea of the kind of module must not matter: a parser is left out only where it can't read the text. */
const parsersFor = ({ before, after }: ImportCase): Parser[] =>
  [before, after].some((code) => /\b(?:import|export) /.test(code))
    ? ['espree, as a module', 'TypeScript']
    : ['espree, as a module', 'espree, as CommonJS', 'TypeScript'];

describe.each([
  ...javascript.map((given) => ({ ...given, parsers: parsersFor(given) })),
  ...typescript.map((given) => ({ ...given, parsers: ['TypeScript'] as Parser[] })),
])('$name', ({ file, before, after, parsers }) => {
  test.each(parsers)('%s', (parser) => {
    const once = fixed(before, file, parser);
    expect(once).toBe(after);
    expect(fixed(once, file, parser)).toBe(once);
    if (once === before) return;
    // A later use finds the binding and brings nothing more.
    const again = fixed(`${once}\nRELEASE;\n`, file, parser);
    expect(again.startsWith(`${once}\n`)).toBe(true);
    expect(again).not.toContain('RELEASE');
  });
});

describe.each(Object.keys(languages) as Parser[])('a file without statements, %s', (parser) => {
  const line = "import { releaseLease } from 'lockproof';\n";
  test.each([
    ['nothing', '', line],
    ['white space', '\n  ', `\n  ${line}`],
    ['a comment', '// licence', `// licence\n${line}`],
    ['a comment and a line break', '/* licence */\r\n', `/* licence */\r\n${line.trim()}\r\n`],
    ['a BOM', '\uFEFF', `\uFEFF${line}`],
  ])('%s', (_, before, after) => {
    const commonjs = after
      .replace('import {', 'const {')
      .replace("from 'lockproof'", "= require('lockproof')");
    if (parser === 'espree, as CommonJS') expect(fixed(before, 'cjs/a.js', parser)).toBe(commonjs);
    else expect(fixed(before, 'esm/a.js', parser)).toBe(after);
  });
});

describe('several names at several places', () => {
  const both = (code: string): string => fixed(code, 'esm/a.js', 'TypeScript');

  test('come with one import', () => {
    expect(both("import a from 'a';\na(BOTH);\na(BOTH);\n")).toBe(
      "import a from 'a';\nimport { releaseLease, tryAcquireLease } from 'lockproof';\na(releaseLease, tryAcquireLease);\na(releaseLease, tryAcquireLease);\n",
    );
  });

  test('only the missing one is brought', () => {
    expect(both("import { tryAcquireLease as take } from 'lockproof';\nf(BOTH);\n")).toBe(
      "import { tryAcquireLease as take, releaseLease } from 'lockproof';\nf(releaseLease, take);\n",
    );
  });

  test('each on its line, in a list of several lines', () => {
    expect(both("import {\n  withLock\n} from 'lockproof';\nf(BOTH);\n")).toBe(
      "import {\n  withLock,\n  releaseLease,\n  tryAcquireLease\n} from 'lockproof';\nf(releaseLease, tryAcquireLease);\n",
    );
  });

  test('a name means the same at all places', () => {
    expect(both("import a from 'a';\na(BOTH);\n{ const releaseLease = 1; a(BOTH); }\n")).toBe(
      "import a from 'a';\nimport { releaseLease as releaseLease_, tryAcquireLease } from 'lockproof';\na(releaseLease_, tryAcquireLease);\n{ const releaseLease = 1; a(releaseLease_, tryAcquireLease); }\n",
    );
  });
});

test('what is written type-checks, also where CommonJS allows no import', () => {
  write('typed/package.json', '{}');
  write('typed/node_modules/lockproof/package.json', '{ "types": "index.d.ts" }');
  write(
    'typed/node_modules/lockproof/index.d.ts',
    'export declare const releaseLease: (value?: unknown) => number;',
  );
  const options = {
    module: 'node16',
    strict: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    types: ['node'],
  };
  write(
    'typed/tsconfig.json',
    JSON.stringify({ compilerOptions: { ...options, typeRoots: [join(root, 'node_modules/@types')] } }),
  );
  const sources: [string, string][] = [
    ['typed/imports.mts', "import fs from 'node:fs';\nexport const n: number = RELEASE(fs);\n"],
    [
      'typed/types.mts',
      "import type { releaseLease } from 'lockproof';\nexport const f: typeof releaseLease = RELEASE;\n",
    ],
    ['typed/nothing.cts', 'const n: number = RELEASE();\nn.toFixed();\n'],
    ['typed/equals.cts', "import fs = require('node:fs');\nconst n: number = RELEASE(fs);\nexport = n;\n"],
    [
      'typed/whole.cts',
      "import lp = require('lockproof');\nconst n: number = RELEASE();\nexport = { n, lp };\n",
    ],
  ];
  for (const [file, code] of sources) write(file, fixed(code, file, 'TypeScript'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  expect(execFileSync(process.execPath, [tsc, '-p', join(folder, 'typed')], { encoding: 'utf8' })).toBe('');
});
