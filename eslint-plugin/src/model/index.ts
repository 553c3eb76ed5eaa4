/** What one file does with Redis locks: built at the first question, kept for all rules. */
import type { SourceCode } from '../types.js';
import { readFile, type FileFacts } from './file.js';
import { findLocks, type Locks } from './locks.js';
import type { LockproofSettings } from './settings.js';

export interface Model extends Locks {
  file: FileFacts;
}

const models = new WeakMap<SourceCode, Model>();

export function modelOf(sourceCode: SourceCode, settings: LockproofSettings): Model {
  let model = models.get(sourceCode);
  if (!model) {
    const file = readFile(sourceCode, settings);
    model = { file, ...findLocks(file, settings) };
    models.set(sourceCode, model);
  }
  return model;
}
