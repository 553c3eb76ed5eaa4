/** Entry point of the language server: speaks over the transport named on the command line (`--stdio`, `--node-ipc`). */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './serve.js';

const connection = createConnection(ProposedFeatures.all);

// One file that upsets a library's background work must not take the diagnostics of all others away.
process.on('uncaughtException', (error) => {
  connection.console.error(error.stack ?? error.message);
});

serve(connection);
connection.listen();
