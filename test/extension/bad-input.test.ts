/** Whatever a document holds: the server answers, stays alive, and reports nothing from nowhere. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LanguageServer } from './support/language-server.js';
import { createProject, wrongLock, type Project } from './support/project.js';
import {
  wrongLockAmongDecorators,
  wrongLockInCommonJs,
  wrongLockInJavaScript,
  wrongLockWithJsx,
} from './support/texts.js';

const ACQUIRE = "redis.set(key, 'locked', 'PX', 8000, 'NX')";
const RELEASE = 'redis.del(key)';
const bundle = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../extension/dist', name), 'utf8');

vi.setConfig({ testTimeout: 60_000 }); // a busy machine takes its time for the largest texts

let server: LanguageServer;
let project: Project;

beforeAll(async () => {
  project = createProject();
  server = await LanguageServer.start(project.folder);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  project.remove();
});

/** The reported parts of a text. */
async function reported(name: string, language: string, text: string): Promise<string[]> {
  const document = await server.open(project.folder, name, language, text);
  const diagnostics = await document.diagnostics();
  await document.close();
  return diagnostics.map(({ range }) => document.textAt(range));
}

afterEach(async () => {
  expect(await reported('after.ts', 'typescript', wrongLock)).toEqual([ACQUIRE, RELEASE]);
});

describe('the lock is found, at its place', () => {
  it.each([
    ['behind a byte order mark', 'stock.ts', 'typescript', `\uFEFF${wrongLock}`],
    ['between Windows line ends', 'stock.ts', 'typescript', wrongLock.replaceAll('\n', '\r\n')],
    ['behind a hashbang', 'stock.ts', 'typescript', `#!/usr/bin/env tsx\n${wrongLock}`],
    ['beside JSX', 'stock.tsx', 'typescriptreact', wrongLockWithJsx],
    ['among decorators', 'stock.ts', 'typescript', wrongLockAmongDecorators],
    ['in a CommonJS module of TypeScript', 'stock.cts', 'typescript', wrongLockInCommonJs],
    ['in JavaScript that needs no file on disk', 'new.mjs', 'javascript', wrongLockInJavaScript],
    ['behind 50,000 lines', 'long.ts', 'typescript', `${'export {}; // redis\n'.repeat(50_000)}${wrongLock}`],
  ])('%s', async (_, name, language, text) => {
    expect(await reported(name, language, text)).toEqual([ACQUIRE, RELEASE]);
  });

  it('in a text without line ends', async () => {
    const minified = wrongLock.replaceAll(/\/[/*].*\n/g, '').replaceAll(/\s*\n\s*/g, ' ');
    const filler = 'f(0);'.repeat(50_000);
    expect(await reported('min.ts', 'typescript', `${filler}${minified}`)).toEqual([ACQUIRE, RELEASE]);
  });
});

describe('nothing is reported', () => {
  it.each([
    ['in an empty text', ''],
    ['in a byte order mark alone', '\uFEFF'],
    ['in a text that ends in the middle', wrongLock.slice(0, -3)],
    ['between conflict markers', `<<<<<<< HEAD\n${wrongLock}=======\n${wrongLock}>>>>>>> main\n`],
    ['in control characters and half a surrogate pair', `\0\x1b\ud83d redis.set(k, 1, 'NX') redis.del(k)`],
    ['in JSON', JSON.stringify({ text: wrongLock })],
    [
      'in an expression too deep for any stack',
      `${'('.repeat(50_000)}redis.set(k, 1, 'NX')${')'.repeat(50_000)}`,
    ],
  ])('%s', async (_, text) => {
    expect(await reported('odd.ts', 'typescript', text)).toEqual([]);
    expect(await reported('odd.js', 'javascript', text)).toEqual([]);
  });

  it.each(['extension.js', 'lint-js.js'])('in the minified bundle %s', async (name) => {
    expect(await reported(name, 'javascript', bundle(name))).toEqual([]);
  });

  it('in TypeScript that calls itself JavaScript', async () => {
    expect(await reported('stock.js', 'javascript', wrongLock)).toEqual([]);
  });

  it('in a language that is not linted', async () => {
    const component = `<script setup lang="ts">\n${wrongLock}</script>\n`;
    expect(await reported('Stock.vue', 'vue', component)).toEqual([]);
  });
});
