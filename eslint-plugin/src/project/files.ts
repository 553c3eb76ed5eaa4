/** The only module of the plugin that touches the file system. A browser build takes `files.browser.ts` in its place. */
import { readFileSync, statSync } from 'node:fs';

/** The text of a file; null when it can't be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** When a file was last changed, in milliseconds; null when it is not there. */
export function changedAt(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}
