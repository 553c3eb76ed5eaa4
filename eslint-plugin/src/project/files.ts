/** The only module of the plugin that touches the file system. A browser build takes `files.browser.ts` in its place. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';

/** The text of a file; null when it can't be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * When a file was last changed or put in place, in milliseconds; null when it is not there. Not the time of the
 * last write: package managers set that one to a fixed date, so it stays the same when a package is replaced.
 */
export function changedAt(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? null;
  } catch {
    return null;
  }
}

/** The folders from a file's own up to the root; none for names that are no paths (`<input>`). */
export function foldersAbove(filename: string | null | undefined): string[] {
  if (!filename || !isAbsolute(filename)) return [];
  const folders: string[] = [];
  for (let folder = dirname(filename); ; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) return folders;
  }
}
