// Brings packages of the npm registry into the workspace's cache, unpacked, once for each version.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../node_modules/.cache/npm-packages');
const LARGEST = 1_000_000;

/** The folder of `name@version`. */
export async function unpacked(spec) {
  const folder = join(cache, spec.replaceAll('/', '+'));
  if (existsSync(join(folder, 'package'))) return join(folder, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', spec, '--silent', '--pack-destination', folder]);
  await run('tar', ['-xzf', join(folder, stdout.trim().split('\n').at(-1)), '-C', folder]);
  return join(folder, 'package');
}

/** The JavaScript and TypeScript files below a folder that a person may have written. */
export function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* sources(path);
    } else if (
      /\.(?:[cm]?js|ts)$/.test(entry.name) &&
      !/\.d\.[cm]?ts$|\.min\.js$/.test(entry.name) &&
      statSync(path).size < LARGEST
    ) {
      yield path;
    }
  }
}
