/** Where PostgreSQL's own programs are: on PATH, or where Debian and Homebrew keep them beside it. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const BESIDE_PATH = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

/** The folder that holds `postgres` and `initdb`, of the newest version beside PATH; undefined when there is none. */
export function findPostgres() {
  return [...(process.env.PATH ?? '').split(delimiter), ...BESIDE_PATH.flatMap(versionsIn)].find(
    (folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')),
  );
}

function versionsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(?:postgresql@)?\d+$/.test(name))
    .sort((a, b) => Number(b.replace(/\D/g, '')) - Number(a.replace(/\D/g, '')))
    .map((name) => join(folder, name, 'bin'));
}
