/** The programs that the tests start, and the packages that hold them. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findPostgres } from './postgres.mjs';
import { run } from './run.mjs';

/** Ubuntu's own name for the package; it holds a snap, which is why Chrome does as well. */
const chromiumPackage = isUbuntu() ? 'chromium-browser' : 'chromium';

const REDIS = { commands: ['redis-server'], apt: ['redis-server'], brew: ['redis'] };
const POSTGRES = { commands: ['postgres'], apt: ['postgresql'], brew: ['postgresql@17'] };
// Without a font of its own a slim machine draws screenshots with empty boxes for letters.
const BROWSER = {
  commands: ['chromium', 'chromium-browser', 'google-chrome'],
  apt: [chromiumPackage, 'fonts-dejavu-core'],
  brew: [],
};
// VS Code has a few native modules, which are compiled for the server's Node.
const COMPILER = ['python3', 'make', 'g++'].map((command) => ({
  commands: [command],
  apt: [command],
  brew: [],
}));

/** The tools that are wanted and are not on PATH. */
export function missingTools({ browser, compiler }) {
  const wanted = [REDIS, POSTGRES, ...(browser ? [BROWSER] : []), ...(compiler ? COMPILER : [])];
  return wanted.filter((tool) => !findTool(tool));
}

/**
 * Absolute path of the browser: `$CHROMIUM`, else the first of the known ones on PATH.
 * @throws when there is none, or when it does not run (Ubuntu's package without the snap that it stands for)
 */
export function requireBrowser() {
  const browser = findTool(BROWSER);
  if (!browser) throw new Error('no Chromium or Chrome on PATH; run `npm run setup`, or set CHROMIUM to one');
  run(browser, ['--version']);
  return browser;
}

function findTool(tool) {
  if (tool === POSTGRES) return findPostgres();
  if (tool === BROWSER && process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return tool.commands
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isUbuntu() {
  try {
    return /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}
