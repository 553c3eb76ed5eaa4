/** Starts the language server for the window's first JavaScript or TypeScript document. No linting happens in this process. */
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { DIALECTS } from '../protocol/languages.js';
import { LOCKPROOF } from '../protocol/names.js';

let client: LanguageClient | undefined;

export function activate(context: ExtensionContext): void {
  client = new LanguageClient(
    LOCKPROOF,
    'Lockproof',
    { module: context.asAbsolutePath(join('dist', 'server.js')), transport: TransportKind.ipc },
    {
      documentSelector: Object.keys(DIALECTS).map((language) => ({ scheme: 'file', language })),
      diagnosticPullOptions: { onChange: true, onSave: true },
    },
  );
  // Not awaited: activation ends at once. The client itself shows and logs a failed start.
  client.start().catch(() => undefined);
}

export async function deactivate(): Promise<void> {
  if (client?.isRunning()) await client.stop();
}
