/** The calls that may keep a lock alive, and whether they look at its owner. */
import { isCompareAndExtend } from '../lua/verdict.js';
import { actOn, type Renewal, type RenewalKind } from './acts.js';
import { stringValue } from './ast.js';
import type { RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { ownershipCheck, type OwnershipCheck } from './ownership.js';
import { verdictOf } from './scripts.js';

export function renewalsOf(file: FileFacts): Renewal[] {
  return file.commands.flatMap((command) => {
    const kind = kindOf(file, command);
    return kind
      ? command.keys.map((key) => ({ ...actOn(file.sourceCode, command.call, command, key), ...kind }))
      : [];
  });
}

function kindOf(
  file: FileFacts,
  command: RedisCommand,
): { kind: RenewalKind; check: OwnershipCheck | null } | null {
  switch (command.op) {
    case 'script':
      return isRenewalScript(command) ? { kind: 'script', check: null } : null;
    case 'renewHelper':
      return { kind: command.args.length > 0 ? 'script' : 'blind', check: null };
    case 'expire':
      // EXPIRE key ttl NX sets a TTL where there is none.
      return command.args.some((arg) => stringValue(arg)?.toUpperCase() === 'NX')
        ? null
        : unguarded(file, command);
    case 'set':
      return command.options.xx ? unguarded(file, command) : null;
    default:
      return null;
  }
}

function unguarded(
  file: FileFacts,
  command: RedisCommand,
): { kind: RenewalKind; check: OwnershipCheck | null } {
  const check = ownershipCheck(file, command);
  return { kind: check ? 'compared' : 'blind', check };
}

export const isRenewalScript = (command: RedisCommand): boolean =>
  command.op === 'script' && command.script !== null && isCompareAndExtend(verdictOf(command.script));
