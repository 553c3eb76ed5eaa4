/** Binds the protocol's requests to the linter. Everything it calls is free of the protocol's connection. */
import {
  CodeActionKind,
  DocumentDiagnosticReportKind,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type ServerCapabilities,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { LOCKPROOF } from '../protocol/names.js';
import { codeActions } from './code-actions.js';
import { lintDocument } from './documents.js';
import { pathOf } from './folders.js';
import { toProblem, type Problem } from './problems.js';

const CAPABILITIES: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  diagnosticProvider: { identifier: LOCKPROOF, interFileDependencies: false, workspaceDiagnostics: false },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

const pathsOf = (folders: readonly WorkspaceFolder[]) => folders.flatMap(({ uri }) => pathOf(uri) ?? []);

interface Report {
  readonly version: number;
  readonly problems: readonly Problem[];
}

/** Answers pull diagnostics and code actions on `connection`, which the caller starts. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const reports = new WeakMap<TextDocument, Report>();
  let folders: readonly string[] = [];

  /** The problems of the document's current version; none when linting it fails, since stale ones would point elsewhere. */
  async function problemsOf(document: TextDocument): Promise<readonly Problem[]> {
    const known = reports.get(document);
    if (known?.version === document.version) return known.problems;
    let problems: readonly Problem[] = [];
    try {
      problems = (await lintDocument(document, folders)).map((finding) => toProblem(document, finding));
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      connection.console.error(`Linting ${document.uri} failed: ${reason}`);
    }
    reports.set(document, { version: document.version, problems });
    return problems;
  }

  connection.onInitialize(({ workspaceFolders, capabilities }) => {
    folders = pathsOf(workspaceFolders ?? []);
    if (capabilities.workspace?.workspaceFolders) connection.onInitialized(followFolders);
    return { serverInfo: { name: LOCKPROOF }, capabilities: CAPABILITIES };
  });

  function followFolders(): void {
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const gone = new Set(pathsOf(removed));
      folders = [...folders.filter((folder) => !gone.has(folder)), ...pathsOf(added)];
    });
  }

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
