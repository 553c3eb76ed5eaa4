/** What comments say about the keys of a script: `-- KEYS[1]: the lock`. */
import type { lua } from './ast.js';

const NOTE = /KEYS\[(\d+)\]([^\r\n]*)/g;
/** More than the first words tells what is done with the key, and of other things. */
const LONGEST = 32;

/** By the number of the key. */
export function notesOnKeys(comments: readonly lua.Comment[]): ReadonlyMap<number | null, string> {
  const notes = new Map<number | null, string>();
  for (const { value } of comments) {
    for (const [, index, note = ''] of value.matchAll(NOTE)) {
      notes.set(Number(index), note.replace(/^[^\p{L}\p{N}]+/u, '').slice(0, LONGEST));
    }
  }
  return notes;
}
