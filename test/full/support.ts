/** Projects of users: packed tarballs, a folder of their own, an install. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const root = join(import.meta.dirname, '../..');

/** Packs a workspace as it would be published, and answers the tarball. */
export async function pack(workspace: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', into], {
    cwd: join(root, workspace),
  });
  return join(into, stdout.trim().split('\n').at(-1) ?? '');
}

/** Writes a project of these files, with a package.json. */
export function writeProject(
  path: string,
  type: 'module' | 'commonjs',
  files: Readonly<Record<string, string>>,
): void {
  const manifest = JSON.stringify({ name: 'fixture', private: true, type });
  for (const [file, text] of Object.entries({ ...files, 'package.json': manifest })) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
}

export const install = (path: string, packages: readonly string[]): Promise<unknown> =>
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { cwd: path });
