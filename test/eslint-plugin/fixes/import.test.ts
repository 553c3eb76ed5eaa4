import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import tsParser from '@typescript-eslint/parser';
import { Linter, type Rule } from 'eslint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureImport } from '../../../eslint-plugin/dist/fixes/import.js';

/** A rule that brings `releaseLease` for each `RELEASE` it finds, as the repairs do. */
const bring: Rule.RuleModule = {
  meta: { fixable: 'code', schema: [] },
  create(context) {
    const sourceCode = context.sourceCode as never;
    return {
      Identifier(node) {
        if (node.name !== 'RELEASE') return;
        const names = ensureImport(sourceCode, {
          source: 'lockproof',
          names: ['releaseLease'],
          at: node as never,
          filename: context.filename,
        });
        context.report({
          node,
          message: names ? 'bring' : 'no place',
          fix: (fixer) =>
            names && [
              ...names.edits.map((edit) => fixer.replaceTextRange([...edit.range], edit.text)),
              fixer.replaceText(node, names.local.releaseLease ?? ''),
            ],
        });
      },
    };
  },
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockproof-import-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('esm/package.json', '{"type":"module"}');
  write('cjs/package.json', '{}');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function fixed(code: string, file: string, parser: 'espree' | 'typescript'): string {
  const linter = new Linter({ configType: 'flat', cwd: folder });
  const config: Linter.Config = {
    files: ['**/*.{js,cjs,mjs,ts}'],
    plugins: { test: { rules: { bring } } },
    rules: { 'test/bring': 'error' },
    languageOptions:
      parser === 'typescript'
        ? { parser: tsParser }
        : { sourceType: /require|exports/.test(code) ? 'commonjs' : 'module' },
  };
  const result = linter.verifyAndFix(code, [config], { filename: join(folder, file) });
  const fatal = result.messages.find((message) => message.fatal);
  if (fatal) throw new Error(`${fatal.message} in\n${result.output}`);
  return result.output;
}

interface Case {
  name: string;
  before: string;
  after: string;
  file?: string;
  typescript?: boolean;
}

const cases: Case[] = [
  {
    name: 'nothing imported yet',
    file: 'esm/a.js',
    before: 'RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: 'after the last import',
    before: "import a from 'a';\nimport b from 'b';\n\nRELEASE(a, b);\n",
    after:
      "import a from 'a';\nimport b from 'b';\nimport { releaseLease } from 'lockproof';\n\nreleaseLease(a, b);\n",
  },
  {
    name: 'below a directive',
    file: 'esm/a.js',
    before: "'use strict';\nRELEASE();\n",
    after: "'use strict';\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: "below 'use client', double quotes kept",
    before: '"use client";\nexport const a = RELEASE;\n',
    after: '"use client";\nimport { releaseLease } from "lockproof";\nexport const a = releaseLease;\n',
  },
  {
    name: 'below hashbang and licence',
    file: 'esm/a.js',
    before: '#!/usr/bin/env node\n/* licence */\nRELEASE();\n',
    after: "#!/usr/bin/env node\n/* licence */\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: '@ts-nocheck stays first',
    typescript: true,
    file: 'esm/a.ts',
    before: '// @ts-nocheck\nRELEASE();\n',
    after: "// @ts-nocheck\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: 'merged into a named import',
    before: "import { withLock } from 'lockproof';\nRELEASE(withLock);\n",
    after: "import { withLock, releaseLease } from 'lockproof';\nreleaseLease(withLock);\n",
  },
  {
    name: 'merged, trailing comma',
    before: "import {\n  withLock,\n} from 'lockproof';\nRELEASE(withLock);\n",
    after: "import {\n  withLock, releaseLease,\n} from 'lockproof';\nreleaseLease(withLock);\n",
  },
  {
    name: 'merged into a default import',
    before: "import lock from 'lockproof';\nRELEASE(lock);\n",
    after: "import lock, { releaseLease } from 'lockproof';\nreleaseLease(lock);\n",
  },
  {
    name: 'merged into default and named',
    before: "import lock, { withLock } from 'lockproof';\nRELEASE(lock, withLock);\n",
    after: "import lock, { withLock, releaseLease } from 'lockproof';\nreleaseLease(lock, withLock);\n",
  },
  {
    name: 'a namespace is used',
    before: "import * as lp from 'lockproof';\nRELEASE();\n",
    after: "import * as lp from 'lockproof';\nlp.releaseLease();\n",
  },
  {
    name: 'an alias is used',
    before: "import { releaseLease as free } from 'lockproof';\nRELEASE();\n",
    after: "import { releaseLease as free } from 'lockproof';\nfree();\n",
  },
  {
    name: 'side effect only',
    before: "import 'lockproof';\nRELEASE();\n",
    after: "import 'lockproof';\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: 'empty braces',
    before: "import {} from 'lockproof';\nRELEASE();\n",
    after: "import {} from 'lockproof';\nimport { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: 'a type import is no import',
    typescript: true,
    before: "import type { LockLease } from 'lockproof';\nexport const a: LockLease = RELEASE();\n",
    after:
      "import type { LockLease } from 'lockproof';\nimport { releaseLease } from 'lockproof';\nexport const a: LockLease = releaseLease();\n",
  },
  {
    name: 'an inline type specifier is no value',
    typescript: true,
    before: "import { type LockLease } from 'lockproof';\nexport const a: LockLease = RELEASE();\n",
    after:
      "import { type LockLease, releaseLease } from 'lockproof';\nexport const a: LockLease = releaseLease();\n",
  },
  {
    name: 'import = require',
    typescript: true,
    before: "import fs = require('fs');\nRELEASE(fs);\n",
    after: "import fs = require('fs');\nimport { releaseLease } from 'lockproof';\nreleaseLease(fs);\n",
  },
  {
    name: 'export … from alone',
    file: 'esm/a.js',
    before: "export { a } from './a';\nRELEASE();\n",
    after: "import { releaseLease } from 'lockproof';\nexport { a } from './a';\nreleaseLease();\n",
  },
  {
    name: 'the name is taken in the module',
    before: "import { releaseLease } from './mine';\nRELEASE(releaseLease);\n",
    after:
      "import { releaseLease } from './mine';\nimport { releaseLease as releaseLease_ } from 'lockproof';\nreleaseLease_(releaseLease);\n",
  },
  {
    name: 'the name is shadowed in a function',
    before:
      "import { releaseLease } from 'lockproof';\nexport function f(releaseLease) { RELEASE(releaseLease); }\n",
    after:
      "import { releaseLease, releaseLease as releaseLease_ } from 'lockproof';\nexport function f(releaseLease) { releaseLease_(releaseLease); }\n",
  },
  {
    name: 'CRLF',
    before: "import a from 'a';\r\nRELEASE(a);\r\n",
    after: "import a from 'a';\r\nimport { releaseLease } from 'lockproof';\r\nreleaseLease(a);\r\n",
  },
  {
    name: 'a BOM',
    before: "\uFEFFimport a from 'a';\nRELEASE(a);\n",
    after: "\uFEFFimport a from 'a';\nimport { releaseLease } from 'lockproof';\nreleaseLease(a);\n",
  },
  {
    name: 'no semicolons',
    before: "import a from 'a'\nRELEASE(a)\n",
    after: "import a from 'a'\nimport { releaseLease } from 'lockproof'\nreleaseLease(a)\n",
  },
  {
    name: 'two findings, one import',
    before: "import a from 'a';\nRELEASE(a);\nRELEASE(a);\n",
    after:
      "import a from 'a';\nimport { releaseLease } from 'lockproof';\nreleaseLease(a);\nreleaseLease(a);\n",
  },
  {
    name: 'CommonJS by require',
    file: 'esm/a.js',
    before: "const a = require('a');\nconst { b } = require('b');\nRELEASE(a, b);\n",
    after:
      "const a = require('a');\nconst { b } = require('b');\nconst { releaseLease } = require('lockproof');\nreleaseLease(a, b);\n",
  },
  {
    name: 'CommonJS by exports, below the directive',
    file: 'esm/a.js',
    before: '"use strict";\nexports.a = RELEASE;\n',
    after: '"use strict";\nconst { releaseLease } = require("lockproof");\nexports.a = releaseLease;\n',
  },
  {
    name: 'CommonJS by its package',
    file: 'cjs/a.js',
    before: 'RELEASE();\n',
    after: "const { releaseLease } = require('lockproof');\nreleaseLease();\n",
  },
  {
    name: '.cjs',
    file: 'esm/a.cjs',
    before: 'RELEASE();\n',
    after: "const { releaseLease } = require('lockproof');\nreleaseLease();\n",
  },
  {
    name: '.mjs',
    file: 'cjs/a.mjs',
    before: 'RELEASE();\n',
    after: "import { releaseLease } from 'lockproof';\nreleaseLease();\n",
  },
  {
    name: 'merged into a require',
    before: "const { withLock } = require('lockproof');\nRELEASE(withLock);\n",
    after: "const { withLock, releaseLease } = require('lockproof');\nreleaseLease(withLock);\n",
  },
  {
    name: 'a required namespace is used',
    before: "const lp = require('lockproof');\nRELEASE();\n",
    after: "const lp = require('lockproof');\nlp.releaseLease();\n",
  },
  {
    name: 'an alias of a require is used',
    before: "const { releaseLease: free } = require('lockproof');\nRELEASE();\n",
    after: "const { releaseLease: free } = require('lockproof');\nfree();\n",
  },
];

const parsers = (given: Case): ('espree' | 'typescript')[] =>
  given.typescript ? ['typescript'] : ['espree', 'typescript'];

describe.each(cases)('$name', (given) => {
  test.each(parsers(given))('%s', (parser) => {
    const file = given.file ?? 'esm/a.js';
    const once = fixed(given.before, file, parser);
    expect(once).toBe(given.after);
    expect(fixed(once, file, parser)).toBe(once);
  });
});

test('no package, no syntax: the kind can not be told, so nothing is written', () => {
  expect(fixed('RELEASE();\n', '../../../../../lockproof-nowhere/a.js', 'espree')).toBe('RELEASE();\n');
});
