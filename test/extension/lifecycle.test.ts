/** What the server loads, and how it ends. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LanguageServer } from './support/language-server.js';
import { wrongLock } from './support/project.js';

let alone: string;

/** The server's bundle without those of the linters. */
beforeAll(() => {
  alone = mkdtempSync(join(tmpdir(), 'lockproof-server-'));
  cpSync(resolve(import.meta.dirname, '../../extension/dist/server.js'), join(alone, 'server.js'));
});

afterAll(() => {
  rmSync(alone, { recursive: true });
});

it('loads no linter for a text that holds no lock', async () => {
  const server = await LanguageServer.start('/project', join(alone, 'server.js'));
  const document = await server.open(
    '/project',
    'sum.ts',
    'typescript',
    'export const sum = (a: number) => a + 1;\n',
  );
  expect(await document.diagnostics()).toEqual([]);
  expect(server.log).toEqual([]);
  await server.stop();
});

it('answers with nothing, and says why in its log, when it cannot lint', async () => {
  const server = await LanguageServer.start('/project', join(alone, 'server.js'));
  const document = await server.open('/project', 'stock.ts', 'typescript', wrongLock);
  expect(await document.diagnostics()).toEqual([]);
  expect(server.log).toEqual([expect.stringContaining('Linting file:///project/stock.ts failed')]);
  expect(await server.stop()).toBe(0);
});

it('ends when its editor is gone', async () => {
  const server = await LanguageServer.start('/project');
  const exited = once(server.process, 'exit');
  server.process.stdin?.end();
  await exited;
});
