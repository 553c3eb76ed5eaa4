/** What is done to a lock: one act is one call on one key. */
import type { CallExpression, Node, SourceCode } from '../types.js';
import type { RedisCommand } from './commands.js';
import { keyFrom, type Key } from './keys.js';
import type { OwnershipCheck } from './ownership.js';
import { placeOf, type Place } from './place.js';

export interface Act {
  call: CallExpression;
  /** The command; null for a helper of another file, known by its name only. */
  command: RedisCommand | null;
  key: Key;
  keyNode: Node;
  place: Place;
}

export interface Acquire extends Act {
  /** What is stored; null where it can't be seen. */
  value: Node | null;
}

export type ReleaseKind =
  /** DEL or UNLINK with no look at the owner. */
  | 'blind'
  /** GET, compare in the client, DEL. */
  | 'compared'
  /** DEL because, or after, a release said that the lock was lost. */
  | 'afterLost'
  /** A script that compares and deletes. */
  | 'script'
  /** DELEX … IFEQ, DELIFEQ. */
  | 'native'
  /** WATCH, GET, MULTI, DEL, EXEC. */
  | 'watched'
  /** A helper of another file, known by its name and by the value it is given. */
  | 'helper';

export interface Release extends Act {
  kind: ReleaseKind;
  check: OwnershipCheck | null;
  /** For `afterLost`: the release whose reply it follows. */
  lost: RedisCommand | null;
}

export type RenewalKind =
  /** EXPIRE or SET XX with no look at the owner. */
  | 'blind'
  /** GET, compare in the client, then EXPIRE. */
  | 'compared'
  /** A script that compares and extends. */
  | 'script'
  /** SET … IFEQ. */
  | 'native';

export interface Renewal extends Act {
  kind: RenewalKind;
  check: OwnershipCheck | null;
}

export function actOn(
  sourceCode: SourceCode,
  call: CallExpression,
  command: RedisCommand | null,
  keyNode: Node,
): Act {
  return { call, command, keyNode, key: keyFrom(sourceCode, keyNode), place: placeOf(call) };
}
