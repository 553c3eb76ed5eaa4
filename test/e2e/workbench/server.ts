/** A VS Code server with an extension installed, in temporary folders of its own. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from './poll.js';
import { QUIET_SETTINGS } from './quiet-settings.js';

export interface VscodeServer {
  readonly url: string;
  /** What the server printed so far. */
  readonly log: () => string;
  /** Ends the server with all of its children and removes its folders. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs the server in a process group of its own, and ends the whole group once standard input closes: however the test
 * process ends, no extension host is left behind.
 */
const GUARD = `
  const { spawn } = require('node:child_process');
  const server = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
  server.on('exit', (code) => process.exit(code ?? 1));
  process.stdin.resume().on('close', () => process.kill(-process.pid, 'SIGKILL'));
`;

/**
 * @param home folder of the prepared server
 * @param vsix the extension, installed the way a user installs it
 */
export async function startServer(home: string, vsix: string): Promise<VscodeServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lockproof-e2e-'));
  const userData = join(folder, 'user');
  mkdirSync(join(userData, 'User'), { recursive: true });
  writeFileSync(join(userData, 'User', 'settings.json'), JSON.stringify(QUIET_SETTINGS));

  const node = join(home, 'node');
  const main = join(home, 'server', 'out', 'server-main.js');
  const folders = ['--user-data-dir', userData, '--server-data-dir', join(folder, 'server')];
  folders.push('--extensions-dir', join(folder, 'extensions'));
  const env = { ...bareEnvironment(), HOME: folder, EXTENSIONS_GALLERY: '{}' }; // no market-place

  execFileSync(node, [main, ...folders, '--install-extension', vsix], { env, timeout: 60_000 });

  const options = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  options.push('--accept-server-license-terms', '--telemetry-level', 'off');
  const child = spawn(node, ['-e', GUARD, main, ...options, ...folders], { env, detached: true });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  }
  const stop = async () => {
    await endGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  try {
    const port = await poll('the VS Code server to listen', () => {
      if (child.exitCode !== null) throw new Error(`the VS Code server ended: ${log}`);
      return /agent listening on (\d+)/.exec(log)?.[1];
    });
    return { url: `http://127.0.0.1:${port}`, log: () => log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment without what the test runner or an editor around it put there. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_V8_COVERAGE$|npm_|VITEST|XDG_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end(); // the guard ends the group
  await ended;
}
