/** Chooses the linter of a document, and none for most documents. */
import { fileURLToPath } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { DIALECTS, type Dialect } from '../protocol/languages.js';
import type { Finding, Lint } from './findings.js';

const loaders: Readonly<Record<Dialect, () => Promise<{ lint: Lint }>>> = {
  javascript: () => import('./lint-js.js'),
  typescript: () => import('./lint-ts.js'),
};

/**
 * Lints the document's current text.
 * @returns its findings; none for another language or for a document that is no file
 * @throws whatever the linter throws on this text
 */
export async function lintDocument(document: TextDocument): Promise<Finding[]> {
  const dialect = DIALECTS[document.languageId];
  if (!dialect || !document.uri.startsWith('file:')) return [];
  const { lint } = await loaders[dialect]();
  return lint(document.getText(), fileURLToPath(document.uri));
}
