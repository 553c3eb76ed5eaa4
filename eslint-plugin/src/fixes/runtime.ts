/** Names of the runtime in the repaired file, and whether it can be had there. */
import { clientOf } from '../model/clients.js';
import { canResolve } from '../project/index.js';
import type { Node, SourceCode } from '../types.js';
import { ensureImport, type ImportEdit } from './import.js';

const RUNTIME = 'lockproof';

export interface RuntimeNames {
  local: Readonly<Record<string, string>>;
  edits: readonly ImportEdit[];
}

/** The names that a repair calls, and the import that brings them. */
export function runtimeNames(
  sourceCode: SourceCode,
  filename: string,
  names: string[],
  at: Node,
): RuntimeNames | null {
  return ensureImport(sourceCode, { source: RUNTIME, names: names.toSorted(), at, filename });
}

const found = new WeakMap<SourceCode, boolean>();

/** Can the file resolve the runtime? Asked once for each text. */
export function runtimeFound(sourceCode: SourceCode, filename: string): boolean {
  let answer = found.get(sourceCode);
  if (answer === undefined) {
    answer = canResolve(filename, RUNTIME);
    found.set(sourceCode, answer);
  }
  return answer;
}

/** Can this client be handed to the runtime, and was its origin seen? */
export function clientSupport(sourceCode: SourceCode, receiver: Node): 'seen' | 'likely' | 'no' {
  const client = clientOf(sourceCode, receiver);
  if (client === 'ioredis' || client === 'node-redis') return 'seen';
  return client === null ? 'likely' : 'no';
}
