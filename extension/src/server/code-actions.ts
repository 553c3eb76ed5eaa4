/** The quick fixes at a place of a document. */
import { CodeActionKind, type CodeAction, type Position, type Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from './problems.js';

/**
 * @param document the document in the version that `problems` speak of
 * @param range the cursor or selection
 * @param only kinds the editor asks for; all when absent
 * @returns an action with its edit for each repair of each problem that touches the range
 */
export function codeActions(
  document: TextDocument,
  problems: readonly Problem[],
  range: Range,
  only: readonly string[] | undefined,
): CodeAction[] {
  if (only && !only.some(asksForQuickFix)) return [];
  return problems
    .filter(({ diagnostic }) => touches(diagnostic.range, range))
    .flatMap(({ diagnostic, fixes }) =>
      fixes.map(({ title, edit, preferred }) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: preferred,
        edit: {
          documentChanges: [
            { textDocument: { uri: document.uri, version: document.version }, edits: [edit] },
          ],
        },
      })),
    );
}

/** Kinds form a tree: the empty kind and `quickfix` itself hold ours, `quickfix.other` does not. */
function asksForQuickFix(kind: string): boolean {
  return kind === CodeActionKind.Empty || kind === CodeActionKind.QuickFix;
}

function touches(a: Range, b: Range): boolean {
  return !before(a.end, b.start) && !before(b.end, a.start);
}

function before(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
