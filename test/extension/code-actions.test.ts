import { describe, expect, it } from 'vitest';
import { CodeActionKind, DiagnosticSeverity, type Range } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from '../../extension/src/server/code-actions.js';
import type { Finding } from '../../extension/src/server/findings.js';
import { toProblem } from '../../extension/src/server/problems.js';

const document = TextDocument.create('file:///stock.ts', 'typescript', 7, 'take(key);\nredis.del(key);\n');
const finding: Finding = {
  rule: 'lockproof/no-blind-release',
  severity: 'error',
  message: 'deletes the lock of another request',
  span: [17, 20],
  url: 'https://example.org/no-blind-release',
  repairs: [
    { kind: 'fix', title: 'Repair', span: [11, 25], text: 'release(lease)' },
    { kind: 'suggestion', title: 'Compare', span: [11, 25], text: 'compare(key)' },
  ],
};
const problem = toProblem(document, finding);
const range = (line: number, start: number, end = start): Range => ({
  start: { line, character: start },
  end: { line, character: end },
});

describe('a diagnostic', () => {
  it('says who reports what, how bad it is, and where to read more', () => {
    expect(problem.diagnostic).toEqual({
      source: 'lockproof',
      code: 'lockproof/no-blind-release',
      codeDescription: { href: 'https://example.org/no-blind-release' },
      severity: DiagnosticSeverity.Error,
      message: 'deletes the lock of another request',
      range: range(1, 6, 9),
    });
  });

  it('has no link where a rule has no page, and is a warning where the level is one', () => {
    const { diagnostic } = toProblem(document, { ...finding, severity: 'warning', url: undefined });
    expect(diagnostic).not.toHaveProperty('codeDescription');
    expect(diagnostic.severity).toBe(DiagnosticSeverity.Warning);
  });
});

describe('code actions', () => {
  it('carry their edit, tied to the version of the document; a fix is preferred to a suggestion', () => {
    const actions = codeActions(document, [problem], range(1, 7), undefined);
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      ['Repair', true],
      ['Compare', false],
    ]);
    expect(actions[0]).toMatchObject({
      kind: CodeActionKind.QuickFix,
      diagnostics: [problem.diagnostic],
      edit: {
        documentChanges: [
          {
            textDocument: { uri: 'file:///stock.ts', version: 7 },
            edits: [{ range: range(1, 0, 14), newText: 'release(lease)' }],
          },
        ],
      },
    });
  });

  it.each([
    ['inside', range(1, 7), 2],
    ['at the start', range(1, 6), 2],
    ['at the end', range(1, 9), 2],
    ['around', { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } }, 2],
    ['before', range(1, 0, 5), 0],
    ['behind', range(1, 10, 12), 0],
    ['on another line', range(0, 7), 0],
  ])('are offered where the cursor or selection touches the diagnostic: %s', (_, place, count) => {
    expect(codeActions(document, [problem], place, undefined)).toHaveLength(count);
  });

  it.each([
    [[CodeActionKind.QuickFix], 2],
    [[CodeActionKind.Empty], 2],
    [[CodeActionKind.Refactor, CodeActionKind.QuickFix], 2],
    [[CodeActionKind.SourceFixAll], 0],
    [['quickfix.other'], 0],
  ])('are quick fixes and nothing else: asked for %j', (only, count) => {
    expect(codeActions(document, [problem], range(1, 7), only)).toHaveLength(count);
  });
});
