/** The package as it is shipped. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { DIALECTS } from '../../extension/src/protocol/languages.js';

const root = resolve(import.meta.dirname, '../..');
const cwd = join(root, 'extension');
const vsce = (...options: string[]) =>
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/@vscode/vsce/vsce'), ...options, '--no-dependencies'],
    {
      cwd,
      encoding: 'utf8',
    },
  );

const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as {
  activationEvents: string[];
  engines: { vscode: string };
  devDependencies: Record<string, string>;
};

it('holds the bundles, the licences, and nothing else', () => {
  expect(vsce('ls').trim().split('\n').sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/NOTICES.txt',
    'dist/extension.js',
    'dist/lint-js.js',
    'dist/lint-ts.js',
    'dist/server.js',
    'package.json',
  ]);
});

it('is at most 2.0 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockproof-vsix-'));
  const vsix = join(folder, 'lockproof.vsix');
  vsce('package', '--allow-missing-repository', '--out', vsix);
  expect(statSync(vsix).size).toBeLessThanOrEqual(2_000_000);
  rmSync(folder, { recursive: true });
});

it('names the packages that it bundles, with their licences', () => {
  const notices = readFileSync(join(cwd, 'dist/NOTICES.txt'), 'utf8');
  for (const name of [
    'eslint',
    'espree',
    '@typescript-eslint/parser',
    'typescript',
    'vscode-languageclient',
  ]) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
});

it('wakes up for the languages that it lints, and for nothing else', () => {
  expect(manifest.activationEvents).toEqual(
    Object.keys(DIALECTS).map((language) => `onLanguage:${language}`),
  );
});

it('is typed against the oldest VS Code that it says it runs in', () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode'] ?? ''}`);
});
