/**
 * For the end-to-end tests: prepares VS Code unless it is there, and answers where it and the browser are, as JSON.
 *
 *   node scripts/setup/e2e.mjs [1.139|1.100]
 */
import { requireBrowser } from './tools.mjs';
import { prepareVscode } from './vscode.mjs';

const browser = requireBrowser();
process.stdout.write(JSON.stringify({ vscode: prepareVscode(process.argv[2]), browser }));
