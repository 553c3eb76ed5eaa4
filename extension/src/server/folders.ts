/** The folders that the editor's window shows. */
import { isAbsolute, parse, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of a folder or document; undefined for one that is not on disk. */
export function pathOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
}

/** The innermost of the folders that hold the file; the root of the file system for a file outside of all. */
export function rootOf(filename: string, folders: readonly string[]): string {
  const holders = folders.filter((folder) => holds(folder, filename));
  return holders.reduce(
    (inner, folder) => (folder.length > inner.length ? folder : inner),
    parse(filename).root,
  );
}

function holds(folder: string, filename: string): boolean {
  const path = relative(folder, filename);
  return !path.startsWith('..') && !isAbsolute(path);
}
