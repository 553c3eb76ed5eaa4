import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as browser from '../../../eslint-plugin/dist/project/files.browser.js';
import * as node from '../../../eslint-plugin/dist/project/files.js';
import {
  canResolve,
  installedMajor,
  moduleTypeOf,
  onlyClientPackage,
} from '../../../eslint-plugin/dist/project/index.js';

let folder: string;

const at = (path: string): string => join(folder, path);

function manifest(path: string, json: object): string {
  const file = join(at(path), 'package.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(json));
  return file;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockproof-project-'));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('moduleTypeOf', () => {
  test.each([
    ['app.mjs', 'module'],
    ['app.mts', 'module'],
    ['app.cjs', 'commonjs'],
    ['app.cts', 'commonjs'],
  ])('%s by its ending alone', (file, type) => {
    manifest('.', { type: type === 'module' ? 'commonjs' : 'module' });
    expect(moduleTypeOf(at(file))).toBe(type);
    expect(moduleTypeOf(file)).toBe(type);
  });

  test('the nearest manifest decides', () => {
    manifest('.', { type: 'module' });
    manifest('packages/old', {});
    expect(moduleTypeOf(at('src/deep/app.js'))).toBe('module');
    expect(moduleTypeOf(at('packages/old/src/app.js'))).toBe('commonjs');
  });

  test('a block of a document is in the folder of the document', () => {
    manifest('.', { type: 'module' });
    writeFileSync(at('README.md'), '');
    expect(moduleTypeOf(at('README.md/0_0.js'))).toBe('module');
  });

  test('a manifest that is no JSON object is passed over', () => {
    manifest('.', { type: 'module' });
    for (const [index, text] of ['{', 'null', '"text"', ''].entries()) {
      writeFileSync(manifest(`p${String(index)}`, {}), text);
      expect(moduleTypeOf(at(`p${String(index)}/app.js`))).toBe('module');
    }
  });
});

describe('canResolve', () => {
  test('an installed package, from every folder below', () => {
    manifest('node_modules/lockproof', { name: 'lockproof' });
    expect(canResolve(at('src/deep/app.ts'), 'lockproof')).toBe(true);
    expect(canResolve(at('src/deep/app.ts'), '@lockproof/other')).toBe(false);
  });

  test('a workspace linked into the root', () => {
    manifest('packages/runtime', { name: 'lockproof' });
    mkdirSync(at('node_modules'));
    symlinkSync(at('packages/runtime'), at('node_modules/lockproof'), 'junction');
    expect(canResolve(at('packages/service/app.ts'), 'lockproof')).toBe(true);
  });

  test('a link to nowhere', () => {
    mkdirSync(at('node_modules'));
    symlinkSync(at('gone'), at('node_modules/lockproof'), 'junction');
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(false);
  });

  test('an empty folder of the name', () => {
    mkdirSync(at('node_modules/lockproof'), { recursive: true });
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(false);
  });

  test('the own name, when the package has exports', () => {
    manifest('with', { name: 'lockproof', exports: './index.js' });
    manifest('without', { name: 'lockproof' });
    expect(canResolve(at('with/src/app.ts'), 'lockproof')).toBe(true);
    expect(canResolve(at('without/src/app.ts'), 'lockproof')).toBe(false);
  });

  test('Yarn without node_modules can not be looked into', () => {
    manifest('.', { dependencies: { lockproof: '*' } });
    writeFileSync(at('.pnp.cjs'), '');
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(false);
  });
});

describe('installedMajor', () => {
  test('the nearest installed one', () => {
    manifest('node_modules/redis', { version: '5.12.1' });
    manifest('old/node_modules/redis', { version: '4.7.1' });
    expect(installedMajor(at('src/app.ts'), 'redis')).toBe(5);
    expect(installedMajor(at('old/src/app.ts'), 'redis')).toBe(4);
  });

  test('what is installed counts more than what is asked for', () => {
    manifest('.', { dependencies: { redis: '^3.0.0' } });
    manifest('node_modules/redis', { version: '4.0.0-rc.1' });
    expect(installedMajor(at('app.ts'), 'redis')).toBe(4);
  });

  test.each([
    ['^4.6.0', 4],
    ['~5.1', 5],
    ['4.x', 4],
    ['npm:redis@3.1.2', 3],
    ['>=3 <5', null],
    ['latest', null],
    ['workspace:*', null],
    ['https://example.org/redis-4.tgz', null],
  ])('asked for as %s', (range, major) => {
    manifest('.', { devDependencies: { redis: range } });
    expect(installedMajor(at('app.ts'), 'redis')).toBe(major);
  });

  test('asked for by a manifest further up', () => {
    manifest('.', { dependencies: { redis: '^4.0.0' } });
    manifest('packages/a', { dependencies: { other: '1.0.0' } });
    expect(installedMajor(at('packages/a/app.ts'), 'redis')).toBe(4);
  });

  test('manifests with odd fields', () => {
    manifest('.', {
      dependencies: null,
      devDependencies: 'redis',
      peerDependencies: { ioredis: 4, redis: '*' },
    });
    manifest('node_modules/redis', { version: 4 });
    expect(installedMajor(at('app.ts'), 'redis')).toBe(null);
    expect(onlyClientPackage(at('app.ts'))).toBe('redis');
  });
});

describe('an editor sees changes', () => {
  test('within seconds, and asks no more than that', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(false);
    manifest('node_modules/lockproof', {});
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(true);
    rmSync(at('node_modules'), { recursive: true });
    vi.advanceTimersByTime(2_000);
    expect(canResolve(at('app.ts'), 'lockproof')).toBe(false);
  });

  test('also where all files of packages have one date', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const date = new Date('1984-06-22T21:50:00Z');
    utimesSync(manifest('node_modules/redis', { version: '4.7.1' }), date, date);
    expect(installedMajor(at('app.ts'), 'redis')).toBe(4);
    rmSync(at('node_modules'), { recursive: true });
    utimesSync(manifest('node_modules/redis', { version: '5.12.1' }), date, date);
    vi.advanceTimersByTime(2_000);
    expect(installedMajor(at('app.ts'), 'redis')).toBe(5);
  });
});

describe.each([
  null,
  undefined,
  '',
  '<input>',
  '<text>',
  'relative/app.js',
  'untitled:Untitled-1',
  'vscode-vfs://github/owner/app.js',
  '/nowhere/\0/app.js',
  '/',
])('the file name %j', (filename) => {
  test('tells nothing, and nothing is thrown', () => {
    expect(moduleTypeOf(filename)).toBe(null);
    expect(canResolve(filename, 'lockproof')).toBe(false);
    expect(installedMajor(filename, 'redis')).toBe(null);
    expect(onlyClientPackage(filename)).toBe(null);
  });
});

test('the browser has the same questions, and no answers', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
  expect([browser.readText(), browser.changedAt(), browser.foldersAbove()]).toEqual([null, null, []]);
});
