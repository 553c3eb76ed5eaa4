/** Puts a VS Code server for the end-to-end flow into a cache folder, from the npm registry alone. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fetchPackage, npmEnv } from './npm.mjs';
import { run, say } from './run.mjs';
import { slimDown } from './slim.mjs';
import { DEFAULT_LINE, LINES } from './vscode-lines.mjs';

const REVISION = 1; // raise it when the steps below change
const NODE_GYP = '11.5.0'; // the last that runs on Node 20
const RIPGREP = '1.18.0';

const cache =
  process.env.LOCKPROOF_E2E_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'lockproof-e2e');

/** Folder of the prepared server of this line, or undefined while there is none. */
export function findVscode(line = DEFAULT_LINE) {
  const home = homeOf(line);
  return existsSync(home) ? home : undefined;
}

/**
 * Prepares the server unless it is there.
 * @param {string} [line] a VS Code version line out of vscode-lines.mjs
 * @returns {string} a folder with `node`, the Node to run it with, and `server/out/server-main.js`
 */
export function prepareVscode(line = DEFAULT_LINE) {
  const ready = findVscode(line);
  if (ready) return ready;
  say(`fetching VS Code ${line} from the npm registry into ${cache} (about 320 MB, a minute)`);
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, '.work-'));
  try {
    build(LINES[line], work);
    publish(join(work, 'home'), homeOf(line));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return homeOf(line);
}

function homeOf(line) {
  const versions = LINES[line];
  if (!versions) throw new Error(`VS Code ${line} is unknown; there are ${Object.keys(LINES).join(' and ')}`);
  return join(cache, `vscode-${versions.codeServer}-node-${versions.node}-${process.arch}-r${REVISION}`);
}

/** Moves the finished folder into place in one step: whoever looks sees all of it or nothing. */
function publish(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error; // else another run was quicker
  }
}

function build({ codeServer, integrity, node, natives }, work) {
  const nodeFolder = join(work, 'node');
  const home = join(work, 'home');
  const server = join(home, 'server');

  fetchPackage(`node-linux-${process.arch}@${node}`, nodeFolder);
  fetchPackage(`code-server@${codeServer}`, join(work, 'code-server'), integrity);
  mkdirSync(home);
  renameSync(join(work, 'code-server', 'lib', 'vscode'), server);

  // npm and the compiler run under the server's Node, so that what they check and build is right for it.
  const env = { ...npmEnv(), PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env.PATH}` };
  const npm = (args, cwd) => run('npm', args, { cwd, env });
  // The shrinkwrap was made without peer dependencies.
  npm(['ci', '--ignore-scripts', '--omit=dev', '--legacy-peer-deps'], server);
  npm(['ci', '--ignore-scripts', '--omit=dev'], join(server, 'extensions'));
  run('node', ['postinstall.mjs'], { cwd: join(server, 'extensions'), env });

  const modules = join(server, 'node_modules');
  const ripgrep = join(modules, '@vscode', 'ripgrep');
  if (existsSync(ripgrep)) {
    // Its install script would fetch the binary from elsewhere.
    fetchPackage(`@vscode/ripgrep-linux-${process.arch}@${RIPGREP}`, join(work, 'ripgrep'));
    mkdirSync(join(ripgrep, 'bin'), { recursive: true });
    renameSync(join(work, 'ripgrep', 'bin', 'rg'), join(ripgrep, 'bin', 'rg'));
  }

  npm(
    ['install', '--ignore-scripts', '--no-save', '--prefix', join(work, 'gyp'), `node-gyp@${NODE_GYP}`],
    work,
  );
  const gyp = join(work, 'gyp', 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  for (const name of natives) {
    say(`compiling ${name}`);
    run('node', [gyp, 'rebuild', `--nodedir=${nodeFolder}`, '--jobs', 'max'], {
      cwd: join(modules, name),
      env,
    });
  }

  slimDown(server, natives);
  renameSync(join(nodeFolder, 'bin', 'node'), join(home, 'node'));
  check(home, natives);
  writeFileSync(join(home, 'versions.json'), JSON.stringify({ codeServer, node }));
}

/** A server that does not start, or a native module that does not load, is better told here than by a test that waits. */
function check(home, natives) {
  const node = join(home, 'node');
  const modules = [...natives, 'node-pty', '@parcel/watcher'].map((name) =>
    join(home, 'server', 'node_modules', name),
  );
  run(node, [join(home, 'server', 'out', 'server-main.js'), '--version']);
  run(node, ['-e', 'for (const name of process.argv.slice(1)) require(name)', ...modules]);
}
