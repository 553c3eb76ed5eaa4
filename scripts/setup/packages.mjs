/** Installs system packages where that needs no questions, else says what to install. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { run, say } from './run.mjs';

const POLICY = '/usr/sbin/policy-rc.d';

/**
 * Installs the packages of the missing tools.
 * @param {{ commands: string[], apt: string[], brew: string[] }[]} missing
 * @returns {boolean} whether the tools are there now; the reason has been printed if not
 */
export function installPackages(missing) {
  const names = missing.map((tool) => tool.commands[0]).join(', ');
  if (process.platform === 'darwin' && has('brew')) {
    return install('brew', ['install', ...missing.flatMap((tool) => tool.brew)]);
  }
  if (has('apt-get')) {
    const packages = missing.flatMap((tool) => tool.apt);
    if (process.getuid?.() === 0) return installByApt(packages);
    say(`missing: ${names}. Run: sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`);
    return false;
  }
  say(`missing: ${names}. Please install them with this system's package manager, so that they are on PATH`);
  return false;
}

function installByApt(packages) {
  say(`installing by apt-get: ${packages.join(', ')}`);
  quietly('apt-get', ['update', '-q']); // one source that cannot be reached need not be the one that is needed
  return withoutStartingServices(() =>
    quietly('apt-get', [
      'install',
      '-y',
      '-q',
      '--no-install-recommends',
      '-o',
      'DPkg::Lock::Timeout=300',
      ...packages,
    ]),
  );
}

/** Debian starts a service as soon as it is installed; the tests start a Redis of their own, on a port of their own. */
function withoutStartingServices(action) {
  if (existsSync(POLICY)) return action();
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return action();
  } finally {
    rmSync(POLICY);
  }
}

function install(command, args) {
  say(`running: ${command} ${args.join(' ')}`);
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

function quietly(command, args) {
  try {
    run(command, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    return true;
  } catch (error) {
    say(error.message);
    return false;
  }
}

function has(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
