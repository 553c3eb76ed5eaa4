/** Binds the protocol's requests to the linter. Everything it calls is free of the protocol's connection. */
import {
  CodeActionKind,
  DocumentDiagnosticReportKind,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { LOCKPROOF } from '../protocol/names.js';
import { codeActions } from './code-actions.js';
import { lintDocument } from './documents.js';
import { toProblem, type Problem } from './problems.js';

interface Report {
  readonly version: number;
  readonly problems: readonly Problem[];
}

/** Answers pull diagnostics and code actions on `connection`, which the caller starts. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const reports = new WeakMap<TextDocument, Report>();

  /** The problems of the document's current version; none when linting it fails, since stale ones would point elsewhere. */
  async function problemsOf(document: TextDocument): Promise<readonly Problem[]> {
    const known = reports.get(document);
    if (known?.version === document.version) return known.problems;
    let problems: readonly Problem[] = [];
    try {
      problems = (await lintDocument(document)).map((finding) => toProblem(document, finding));
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      connection.console.error(`Linting ${document.uri} failed: ${reason}`);
    }
    reports.set(document, { version: document.version, problems });
    return problems;
  }

  connection.onInitialize(() => ({
    serverInfo: { name: LOCKPROOF },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      diagnosticProvider: {
        identifier: LOCKPROOF,
        interFileDependencies: false,
        workspaceDiagnostics: false,
      },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    },
  }));

  connection.languages.diagnostics.on(async ({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    const problems = document ? await problemsOf(document) : [];
    return { kind: DocumentDiagnosticReportKind.Full, items: problems.map(({ diagnostic }) => diagnostic) };
  });

  connection.onCodeAction(async ({ textDocument, range, context }) => {
    const document = documents.get(textDocument.uri);
    return document ? codeActions(document, await problemsOf(document), range, context.only) : [];
  });

  documents.listen(connection);
}
