/** The calls that take a lock. */
import type { CallExpression, Node, SourceCode } from '../types.js';
import { actOn, type Acquire } from './acts.js';
import { calleeName, objectProperty, stringValue, unwrap } from './ast.js';
import type { RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { keyFrom } from './keys.js';
import { hasLockWord, isAcquireName, isReleaseName } from './names.js';
import { keysOf, verdictOf } from './scripts.js';
import { tokenOf } from './tokens.js';

export function acquiresOf(file: FileFacts): Acquire[] {
  const commands = file.commands
    .filter((command) => isAcquire(file, command) && !isOwnKey(file, command))
    .flatMap((command) =>
      keysTaken(command).map((key) => ({
        ...actOn(file.sourceCode, command.call, command, key),
        value: command.value,
      })),
    );
  return [...commands, ...helperAcquires(file)];
}

/** The keys that an acquire sets: for a script, those of its SET NX. */
function keysTaken(command: RedisCommand): Node[] {
  if (command.op !== 'script' || !command.script) return command.keys.slice(0, 1);
  return keysOf(
    command.keys,
    verdictOf(command.script).acquisitions.map((acquisition) => acquisition.key),
  );
}

/** A key with a random part of its own is nobody else's: a probe or a record, not a lock. */
function isOwnKey(file: FileFacts, command: RedisCommand): boolean {
  const [key] = command.keys;
  return key !== undefined && tokenOf(file.sourceCode, key).kind === 'unique';
}

/** Does the acquire fail when somebody else holds the key? */
export const isConditional = (acquire: Acquire): boolean =>
  acquire.command !== null && (acquire.command.options.nx || acquire.command.op === 'script');

function isAcquire(file: FileFacts, command: RedisCommand): boolean {
  if (!command.keys[0] || command.queued) return false;
  switch (command.op) {
    case 'set':
      return command.options.nx || (!command.options.xx && afterExists(file, command));
    case 'setnx':
    case 'acquireHelper':
      return true;
    case 'setex':
      return afterExists(file, command);
    case 'script':
      return command.script !== null && verdictOf(command.script).acquires;
    default:
      return false;
  }
}

/** `if (await redis.exists(lock)) return; await redis.setex(lock, …)`: an acquire without NX, known by its release in a `finally`. */
function afterExists(file: FileFacts, command: RedisCommand): boolean {
  const [written] = command.keys;
  const key = written && keyFrom(file.sourceCode, written);
  if (!key || !hasLockWord(key.words)) return false;
  return file.commandsOn(key).some(({ op }) => op === 'exists' || op === 'get');
}

const HELPER_NAME =
  /^(?:try|attempt)?_?(?:to)?_?(?:acquire|obtain|take|grab|get|set)?_?\w*lock$|^(?:try)?acquire\w*$/i;

/** A call named like an acquire that gets the key: the lock is taken in another file. */
function helperAcquires(file: FileFacts): Acquire[] {
  return file.calls.flatMap((call) => {
    const name = calleeName(call);
    if (!name || file.commandOf.has(call) || isReleaseName(name)) return [];
    if (!HELPER_NAME.test(name) || !(hasLockWord(name) || isAcquireName(name))) return [];
    const keyNode = helperKey(call.arguments[0]);
    return keyNode
      ? [{ ...actOn(file.sourceCode, call, null, keyNode), value: helperValue(file.sourceCode, call) }]
      : [];
  });
}

/** `acquire(key, 'true', 30_000)`: a value, when a TTL follows it. */
function helperValue(sourceCode: SourceCode, call: CallExpression): Node | null {
  const [key, second, third] = call.arguments;
  if (!key || !second || !third) return null;
  const told = stringValue(second) !== null || tokenOf(sourceCode, second, [key]).kind === 'business';
  return told ? second : null;
}

function helperKey(argument: Node | undefined): Node | null {
  const node = argument && unwrap(argument);
  if (!node) return null;
  if (node.type !== 'ObjectExpression') return node.type === 'ArrayExpression' ? null : node;
  for (const name of ['lockKey', 'key', 'resource', 'name']) {
    const property = objectProperty(node, name);
    if (property) return property.value;
  }
  return null;
}
