/** The bundled language server as a process of its own, spoken to over standard input and output as an editor would. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CodeActionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type Range,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

const BUNDLE = resolve(import.meta.dirname, '../../../extension/dist/server.js');

export class LanguageServer {
  readonly process: ChildProcess;
  /** What the server logged for its user to read. */
  readonly log: readonly string[];
  readonly initialized: InitializeResult;
  readonly #connection: ProtocolConnection;

  private constructor(
    process: ChildProcess,
    connection: ProtocolConnection,
    log: string[],
    initialized: InitializeResult,
  ) {
    this.process = process;
    this.#connection = connection;
    this.log = log;
    this.initialized = initialized;
  }

  /** Starts the server for a window that shows `folder`, and goes through the handshake. */
  static async start(folder: string, bundle = BUNDLE): Promise<LanguageServer> {
    const child = spawn(process.execPath, [bundle, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const log: string[] = [];
    connection.onNotification(LogMessageNotification.type, ({ message }) => {
      log.push(message);
    });
    connection.listen();
    const initialized = await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the protocol still demands it
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: basename(folder) }],
      capabilities: {},
    });
    await connection.sendNotification(InitializedNotification.type, {});
    return new LanguageServer(child, connection, log, initialized);
  }

  /** Opens a document the way an editor does: its text need not be on disk. */
  async open(folder: string, name: string, languageId: string, text: string): Promise<OpenDocument> {
    const uri = pathToFileURL(join(folder, name)).href;
    const document = new OpenDocument(this.#connection, TextDocument.create(uri, languageId, 1, text));
    await this.#connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId, version: 1, text },
    });
    return document;
  }

  /** Ends the server as the protocol wants it; answers its exit code. */
  async stop(): Promise<number | null> {
    const exited = once(this.process, 'exit') as Promise<[number | null]>;
    await this.#connection.sendRequest(ShutdownRequest.type);
    await this.#connection.sendNotification(ExitNotification.type);
    const [code] = await exited;
    this.#connection.dispose();
    return code;
  }
}

export class OpenDocument {
  readonly #connection: ProtocolConnection;
  #document: TextDocument;

  constructor(connection: ProtocolConnection, document: TextDocument) {
    this.#connection = connection;
    this.#document = document;
  }

  get text(): string {
    return this.#document.getText();
  }

  textAt(range: Range): string {
    return this.#document.getText(range);
  }

  async diagnostics(): Promise<Diagnostic[]> {
    const report = await this.#connection.sendRequest(DocumentDiagnosticRequest.type, {
      textDocument: { uri: this.#document.uri },
    });
    if (report.kind !== 'full') throw new Error(`asked for no earlier result, got ${report.kind}`);
    return report.items;
  }

  async codeActions(range: Range, only?: string[]): Promise<CodeAction[]> {
    const actions = await this.#connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: this.#document.uri },
      range,
      context: { diagnostics: [], ...(only && { only }) },
    });
    return (actions ?? []).filter((action): action is CodeAction => 'kind' in action);
  }

  /** Replaces the whole text, as typing would, step by step. */
  async change(text: string): Promise<void> {
    const { uri, languageId, version } = this.#document;
    this.#document = TextDocument.create(uri, languageId, version + 1, text);
    await this.#connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: version + 1 },
      contentChanges: [{ text }],
    });
  }

  /** Does what an editor does when its user chooses the action. */
  async apply(action: CodeAction): Promise<void> {
    for (const change of action.edit?.documentChanges ?? []) {
      if (!('edits' in change)) throw new Error(`unexpected ${change.kind}`);
      const { uri, version } = change.textDocument;
      if (uri !== this.#document.uri || version !== this.#document.version) {
        throw new Error(`the edit is for ${uri} in version ${version ?? 'unknown'}`);
      }
      const edits = change.edits.filter((edit) => 'newText' in edit);
      await this.change(TextDocument.applyEdits(this.#document, edits));
    }
  }

  async close(): Promise<void> {
    await this.#connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: this.#document.uri },
    });
  }
}
