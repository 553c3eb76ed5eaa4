/** Chooses the linter of a document, and none for most documents. */
import { textMatters } from 'eslint-plugin-lockproof/gate';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { DIALECTS, type Dialect } from '../protocol/languages.js';
import type { Finding, Lint } from './findings.js';
import { pathOf, rootOf } from './folders.js';

const loaders: Readonly<Record<Dialect, () => Promise<{ lint: Lint }>>> = {
  javascript: () => import('./lint-js.js'),
  typescript: () => import('./lint-ts.js'),
};

/**
 * Lints the document's current text.
 * @param folders paths of the folders that the editor's window shows
 * @returns its findings; none for another language or for a document that is not on disk
 * @throws whatever the linter throws on this text
 */
export async function lintDocument(document: TextDocument, folders: readonly string[]): Promise<Finding[]> {
  const dialect = DIALECTS[document.languageId];
  const filename = pathOf(document.uri);
  if (!dialect || !filename) return [];
  const text = document.getText();
  if (!textMatters(text)) return [];
  const { lint } = await loaders[dialect]();
  return lint(text, filename, rootOf(filename, folders));
}
