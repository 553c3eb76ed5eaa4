import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { javascript, typescript, type ImportCase } from './import-cases.js';

const oxlint = join(import.meta.dirname, '../../../node_modules/.bin/oxlint');
const cases = [...javascript, ...typescript];

let folder: string;

/** Each case in a file of its own, below its kind of package. */
const pathOf = (index: number, { file }: ImportCase): string => {
  const [kind = '', name = ''] = file.split('/');
  return join(folder, kind, String(index), name);
};

/** oxlint lints the script of a component, so that needs a component around it. */
const wholeFile = ({ file }: ImportCase, text: string): string =>
  file.endsWith('.vue') ? `<script setup lang="ts">${text}</script>\n` : text;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** oxlint makes one pass a run; a run that leaves nothing to fix answers 0. */
const fixAll = (): Promise<string> =>
  new Promise((resolve) => {
    execFile(oxlint, ['--fix', '-c', 'oxlint.json', '.'], { cwd: folder }, (_, stdout) => {
      resolve(stdout);
    });
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockproof-oxlint-'));
  write(
    join(folder, 'oxlint.json'),
    JSON.stringify({
      jsPlugins: [join(import.meta.dirname, 'fixtures/import-rule.mjs')],
      categories: { correctness: 'off' },
      rules: { 'test/bring': 'error' },
    }),
  );
  write(join(folder, 'esm/package.json'), '{"type":"module"}');
  write(join(folder, 'cjs/package.json'), '{}');
  cases.forEach((given, index) => {
    write(pathOf(index, given), wholeFile(given, given.before));
  });
  for (let pass = 0; pass < 3; pass++) await fixAll();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each(cases.map((given, index) => ({ ...given, index })))('$name', (given) => {
  expect(readFileSync(pathOf(given.index, given), 'utf8')).toBe(wholeFile(given, given.after));
});
