/** The bundled server as a process of its own: a wrong lock, its diagnostics, its quick fix. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver/node';
import { LanguageServer } from './support/language-server.js';
import { createProject, repairedLock, wrongLock, type Project } from './support/project.js';
import { wrongLockInJavaScript } from './support/texts.js';

let server: LanguageServer;
let project: Project;

beforeAll(async () => {
  project = createProject();
  server = await LanguageServer.start(project.folder);
});

afterAll(async () => {
  await server.stop();
  project.remove();
});

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

it('offers pull diagnostics and quick fixes', () => {
  expect(server.initialized).toMatchObject({
    serverInfo: { name: 'lockproof' },
    capabilities: {
      diagnosticProvider: { identifier: 'lockproof', workspaceDiagnostics: false },
      codeActionProvider: { codeActionKinds: ['quickfix'] },
    },
  });
});

describe.each([
  ['stock.ts', 'typescript', wrongLock],
  ['stock.tsx', 'typescriptreact', wrongLock],
  ['stock.js', 'javascript', wrongLockInJavaScript],
  ['stock.jsx', 'javascriptreact', wrongLockInJavaScript],
])('a wrong lock in %s', (name, language, text) => {
  it('has a diagnostic for each half of the bug', async () => {
    const document = await server.open(project.folder, name, language, text);
    const diagnostics = await document.diagnostics();
    expect(codes(diagnostics)).toEqual(['lockproof/require-unique-token', 'lockproof/no-blind-release']);
    for (const { source, severity, codeDescription, code } of diagnostics) {
      expect({ source, severity }).toEqual({ source: 'lockproof', severity: DiagnosticSeverity.Error });
      expect(codeDescription?.href).toContain(String(code).replace('lockproof/', ''));
    }
    expect(diagnostics.map(({ range }) => document.textAt(range))).toEqual([
      "redis.set(key, 'locked', 'PX', 8000, 'NX')",
      'redis.del(key)',
    ]);
    await document.close();
  });

  it('is clean after the quick fix of either half', async () => {
    for (const half of [0, 1]) {
      const document = await server.open(project.folder, name, language, text);
      const diagnostic = (await document.diagnostics())[half];
      if (!diagnostic) throw new Error(`diagnostic ${half} is missing`);
      const [fix, ...others] = await document.codeActions(diagnostic.range, ['quickfix']);
      if (!fix) throw new Error('there is no quick fix');
      expect(fix).toMatchObject({ kind: 'quickfix', isPreferred: true, diagnostics: [diagnostic] });
      expect(others).toEqual([]);

      await document.apply(fix);
      expect(await document.diagnostics()).toEqual([]);
      if (language === 'typescript') expect(document.text).toBe(repairedLock);
      await document.close();
    }
  });
});

it('follows the text as it is typed', async () => {
  const document = await server.open(project.folder, 'typed.ts', 'typescript', '');
  const found: number[] = [];
  for (const end of [wrongLock.indexOf('finally'), wrongLock.length - 2, wrongLock.length]) {
    await document.change(wrongLock.slice(0, end));
    found.push((await document.diagnostics()).length);
  }
  await document.change('export {};');
  found.push((await document.diagnostics()).length);
  expect(found).toEqual([0, 0, 2, 0]);
  await document.close();
});

it('offers no quick fix away from a diagnostic, nor kinds that it was not asked for', async () => {
  const document = await server.open(project.folder, 'stock.ts', 'typescript', wrongLock);
  const [diagnostic] = await document.diagnostics();
  if (!diagnostic) throw new Error('there is no diagnostic');
  const start = { line: 0, character: 0 };
  expect(await document.codeActions({ start, end: start })).toEqual([]);
  expect(await document.codeActions(diagnostic.range, ['refactor'])).toEqual([]);
  await document.close();
});

it('says nothing about a document that was closed', async () => {
  const document = await server.open(project.folder, 'stock.ts', 'typescript', wrongLock);
  await document.close();
  expect(await document.diagnostics()).toEqual([]);
});

it('offers suggestions, and no fix, where the runtime is not installed', async () => {
  const document = await server.open('/elsewhere', 'stock.ts', 'typescript', wrongLock);
  const [diagnostic] = await document.diagnostics();
  if (!diagnostic) throw new Error('there is no diagnostic');
  const actions = await document.codeActions(diagnostic.range);
  expect(actions.map(({ isPreferred }) => isPreferred)).toEqual([false]);
  expect(actions[0]?.title).toContain('npm install lockproof');
  await document.close();
});
