/** A project as users have it: sources of its own, the client library and the runtime installed. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const fixtures = join(root, 'test/extension/fixtures/wrong-lock');

/** A source file with a wrong lock (a fixed value, a blind DEL), and what repairing it has to give. */
export const wrongLock = readFileSync(join(fixtures, 'project/stock.ts'), 'utf8');
export const repairedLock = readFileSync(join(fixtures, 'repaired/stock.ts'), 'utf8');

export interface Project {
  readonly folder: string;
  readonly remove: () => void;
}

/** Puts a project with `stock.ts`, the file that holds the wrong lock, into a temporary folder. */
export function createProject(): Project {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lockproof-project-'));
  cpSync(join(fixtures, 'project'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'runtime'), join(folder, 'node_modules/lockproof'), 'dir');
  symlinkSync(join(root, 'node_modules/ioredis'), join(folder, 'node_modules/ioredis'), 'dir');
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
