/** What one file does with Redis locks: built at the first question, kept for all rules. */
import type { SourceCode } from '../types.js';
import { readFile, type FileFacts } from './file.js';
import { findLocks, type Lock, type Release } from './locks.js';
import type { LockproofSettings } from './settings.js';

export interface Model {
  file: FileFacts;
  locks: readonly Lock[];
  /** Releases of locks that are taken in another file. */
  strayReleases: readonly Release[];
}

const models = new WeakMap<SourceCode, Model>();

export function modelOf(sourceCode: SourceCode, settings: LockproofSettings): Model {
  let model = models.get(sourceCode);
  if (!model) {
    const file = readFile(sourceCode);
    const { locks, stray } = findLocks(file, settings);
    model = { file, locks, strayReleases: stray };
    models.set(sourceCode, model);
  }
  return model;
}
