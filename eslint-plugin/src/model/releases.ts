/** The calls that may give a lock back, and whether they look at its owner. */
import { isCompareAndDelete } from '../lua/verdict.js';
import type { Node, SourceCode } from '../types.js';
import { actOn, type Release, type ReleaseKind } from './acts.js';
import { calleeName, unwrap } from './ast.js';
import { batchOf, type RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { factsAt } from './guards.js';
import { keyFrom, keyOf } from './keys.js';
import { isReleaseName } from './names.js';
import { ownershipCheck, type OwnershipCheck } from './ownership.js';
import { placeOf, sharedFunction } from './place.js';
import { verdictOf } from './scripts.js';
import { originOf, resolve } from './values.js';

export function releasesOf(file: FileFacts): Release[] {
  const commands = file.commands.flatMap((command) => {
    const kind = kindOf(file, command);
    return kind
      ? command.keys.map((key) => ({ ...actOn(file.sourceCode, command.call, command, key), ...kind }))
      : [];
  });
  return [...commands, ...helperReleases(file)];
}

/** `locks.release(key, 'literal')`: a release helper that is given the same value as the acquire. */
function helperReleases(file: FileFacts): Release[] {
  return file.calls.flatMap((call) => {
    const [key, value] = call.arguments;
    if (!key || !value || file.commandOf.has(call) || !isReleaseName(calleeName(call))) return [];
    return [{ ...actOn(file.sourceCode, call, null, key), ...plain('helper') }];
  });
}

interface Kind {
  kind: ReleaseKind;
  check: OwnershipCheck | null;
  lost: RedisCommand | null;
}

const plain = (kind: ReleaseKind): Kind => ({ kind, check: null, lost: null });

function kindOf(file: FileFacts, command: RedisCommand): Kind | null {
  switch (command.op) {
    case 'script':
      return isReleaseScript(command) ? plain('script') : null;
    case 'releaseHelper':
      // A helper that gets a token is trusted to compare it.
      return plain(command.args.length > 0 ? 'script' : 'blind');
    case 'delex':
      return plain(command.args.length > 0 ? 'native' : 'blind');
    case 'del': {
      if (isWatched(file, command)) return plain('watched');
      const check = ownershipCheck(file, command);
      if (check) return { ...plain('compared'), check };
      const lost = lossBefore(file, command);
      return lost ? { ...plain('afterLost'), lost } : plain('blind');
    }
    default:
      return null;
  }
}

const isReleaseScript = (command: RedisCommand): boolean =>
  command.op === 'script' && command.script !== null && isCompareAndDelete(verdictOf(command.script));

/** Is the DEL part of a MULTI whose key was WATCHed before in the same function? */
function isWatched(file: FileFacts, command: RedisCommand): boolean {
  const receiver = command.receiver ? file.sourceCode.getText(command.receiver) : '';
  if (!command.queued && !/multi|batch|pipeline|tx|trans/i.test(receiver)) return false;
  const place = placeOf(command.call);
  return file.watches.some(
    (other) =>
      other.call.range[0] < command.call.range[0] && sharedFunction(placeOf(other.call), place) !== null,
  );
}

/** The release script of the same key whose reply leads to this DEL, or which ran before it in the same block. */
function lossBefore(file: FileFacts, command: RedisCommand): RedisCommand | null {
  for (const fact of factsAt(command.call)) {
    const release = releaseReplyIn(file, fact.condition);
    if (release && shareAKey(file.sourceCode, release, command)) return release;
  }
  const place = placeOf(command.call);
  const onKey = command.keys.flatMap((key) => file.commandsOn(keyFrom(file.sourceCode, key)));
  const earlier = onKey.filter(
    (other) =>
      isReleaseScript(other) &&
      other.call.range[1] < command.call.range[0] &&
      placeOf(other.call).functions[0] === place.functions[0] &&
      shareAKey(file.sourceCode, other, command),
  );
  return earlier.at(-1) ?? null;
}

function releaseReplyIn(file: FileFacts, condition: Node): RedisCommand | null {
  const sides =
    condition.type === 'BinaryExpression' ? [condition.left as Node, condition.right] : [condition];
  for (const side of sides) {
    const node = resolve(file.sourceCode, side);
    const inner = node.type === 'CallExpression' && calleeName(node) === 'Number' ? node.arguments[0] : node;
    const command = inner && file.commandOf.get(unwrap(inner));
    if (command && isReleaseScript(command)) return command;
  }
  return null;
}

function shareAKey(sourceCode: SourceCode, a: RedisCommand, b: RedisCommand): boolean {
  const keys = new Set(a.keys.map((key) => keyOf(sourceCode, key).exact));
  return b.keys.some((key) => keys.has(keyOf(sourceCode, key).exact));
}

/** Is the batch of a release made on a connection of its own: a duplicate, or one that a pool lends to a callback? */
export function hasOwnConnection(file: FileFacts, release: Release): boolean {
  const { command } = release;
  const batch = command && batchOf(file.sourceCode, command.receiver);
  const callee = batch && unwrap(batch.callee);
  const connection = callee?.type === 'MemberExpression' ? callee.object : (command?.receiver ?? null);
  if (!connection) return true;
  const origin = originOf(file.sourceCode, connection);
  // A parameter may be a connection that was made for this; a value tells.
  if (origin.kind !== 'value') return origin.kind === 'parameter';
  const made = unwrap(origin.node);
  return (
    made.type === 'CallExpression' &&
    /^(?:duplicate|acquire|connect|getConnection)$/.test(calleeName(made) ?? '')
  );
}
