/** Names of the runtime in the repaired file, and whether it can be had there. */
import { clientOf } from '../model/clients.js';
import { canResolve } from '../project/index.js';
import type { Node, SourceCode } from '../types.js';
import { ensureImport, type ImportEdit } from './import.js';

export const RUNTIME = 'lockproof';

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

export const runtimeFound = (filename: string): boolean => canResolve(filename, RUNTIME);

/** Can this client be handed to the runtime, and was its origin seen? */
export function clientSupport(sourceCode: SourceCode, receiver: Node): 'seen' | 'likely' | 'no' {
  const client = clientOf(sourceCode, receiver);
  if (client === 'ioredis' || client === 'node-redis') return 'seen';
  return client === null ? 'likely' : 'no';
}
