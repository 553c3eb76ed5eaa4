/**
 * Gets what the tests need on a bare machine: Redis, PostgreSQL, and for the end-to-end flow a browser and a VS Code server.
 * Takes only what is missing, and says what it takes before it does.
 *
 *   npm run setup               all of it
 *   npm run setup -- --no-e2e   Redis and PostgreSQL alone
 */
import { missingTools, requireBrowser } from './setup/tools.mjs';
import { installPackages } from './setup/packages.mjs';
import { findVscode, prepareVscode } from './setup/vscode.mjs';
import { say } from './setup/run.mjs';

const flags = process.argv.slice(2);
const unknown = flags.find((flag) => flag !== '--no-e2e');
if (unknown) {
  say(`unknown option ${unknown}; the only one is --no-e2e`);
  process.exit(2);
}

try {
  process.exitCode = setUp(!flags.includes('--no-e2e')) ? 0 : 1;
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}

/** @returns {boolean} whether everything is there now; what is missing has been said if not */
function setUp(endToEnd) {
  const withVscode = endToEnd && process.platform === 'linux';
  if (endToEnd && !withVscode) say('the end-to-end flow runs on Linux only; setting up the rest');

  const missing = missingTools({ browser: withVscode, compiler: withVscode && !findVscode() });
  if (missing.length > 0 && !installPackages(missing)) return false;
  if (withVscode) {
    requireBrowser();
    prepareVscode();
  }
  say('everything is there');
  return true;
}
