/** Commands -> locks: which acquire and which releases belong together, and is it a lock at all? */
import type { Node, SourceCode } from '../types.js';
import { calleeName, contains, objectProperty, propertyName, unwrap } from './ast.js';
import type { RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { factsAt, pathTo, type Path } from './guards.js';
import { isBareParameter, isTelling, keyOf, mappedElement, type Key } from './keys.js';
import { hasLockWord, isAcquireName, isForcedName, isGenericName, isReleaseName } from './names.js';
import { ownershipCheck, type OwnershipCheck } from './ownership.js';
import { placeOf, sameOwner, sharedFunction, type Place } from './place.js';
import { verdictOf } from './scripts.js';
import { isCompareAndDelete } from '../lua/verdict.js';
import { resolve } from './values.js';

export interface Acquire {
  node: Node;
  /** The command; null for a helper of another file, known by its name only. */
  command: RedisCommand | null;
  key: Key;
  keyNode: Node;
  place: Place;
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
  | 'watched';

export interface Release {
  kind: ReleaseKind;
  command: RedisCommand;
  key: Key;
  keyNode: Node;
  place: Place;
  check: OwnershipCheck | null;
}

export interface Lock {
  acquire: Acquire;
  releases: Release[];
}

export interface Settings {
  ignoreKeys: readonly string[];
}

export interface Locks {
  locks: Lock[];
  /** Releases that surely belong to a lock whose acquire stands in another file. */
  stray: Release[];
}

export function findLocks(file: FileFacts, settings: Settings): Locks {
  const ignored = (key: Key): boolean => settings.ignoreKeys.some((part) => key.words.includes(part) || key.text.includes(part));
  const acquires = [...acquiresOf(file), ...helperAcquires(file)].filter((a) => !ignored(a.key));
  const releases = releasesOf(file).filter((r) => !ignored(r.key));
  const locks = acquires
    .map((acquire) => ({ acquire, releases: releases.filter((r) => belongs(file, acquire, r)) }))
    .filter((lock) => lock.releases.length > 0 && !isRecord(file, lock.acquire));
  const linked = new Set(locks.flatMap((lock) => lock.releases));
  return { locks, stray: releases.filter((release) => !linked.has(release) && isLockRelease(release)) };
}

/** A comparing release that names itself one: `releaseLock(key, token)` in a file of its own. */
function isLockRelease(release: Release): boolean {
  if (release.kind === 'blind' || release.kind === 'afterLost' || release.kind === 'watched') return false;
  if (release.check && unwrap(release.check.token).type === 'Literal') return false;
  const { name, words } = release.place;
  return hasLockWord(`${words} ${release.key.words}`) && (isReleaseName(name) || hasLockWord(name));
}

function acquiresOf(file: FileFacts): Acquire[] {
  return file.commands
    .filter((command) => isAcquire(file, command))
    .map((command) => {
      const keyNode = command.keys[0] as Node;
      return { node: command.call, command, key: keyFrom(file.sourceCode, keyNode), keyNode, place: placeOf(command.call) };
    });
}

function isAcquire(file: FileFacts, command: RedisCommand): boolean {
  if (!command.keys[0] || command.queued) return false;
  switch (command.op) {
    case 'set':
      return command.options.nx || afterExists(file, command);
    case 'setnx':
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
  const key = keyFrom(file.sourceCode, command.keys[0] as Node);
  if (!hasLockWord(key.words)) return false;
  const place = placeOf(command.call);
  return file.commands.some(
    (other) =>
      (other.op === 'exists' || other.op === 'get') &&
      other.call.range[0] < command.call.range[0] &&
      other.keys.some((k) => keyFrom(file.sourceCode, k).exact === key.exact) &&
      sharedFunction(placeOf(other.call), place) !== null,
  );
}

const HELPER_NAME = /^(?:try|attempt)?_?(?:to)?_?(?:acquire|obtain|take|grab|get|set)?_?\w*lock$|^(?:try)?acquire\w*$/i;

/** A call named like an acquire that gets the key: the lock is taken in another file. */
function helperAcquires(file: FileFacts): Acquire[] {
  const found: Acquire[] = [];
  for (const call of file.calls) {
    const name = calleeName(call);
    if (!name || file.commandOf.has(call) || isReleaseName(name)) continue;
    if (!HELPER_NAME.test(name) || !(hasLockWord(name) || isAcquireName(name))) continue;
    const keyNode = helperKey(call.arguments[0]);
    if (!keyNode) continue;
    const key = keyFrom(file.sourceCode, keyNode);
    found.push({ node: call, command: null, key, keyNode, place: placeOf(call) });
  }
  return found;
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

/** The key of an expression; for an array of keys, that of its elements. */
function keyFrom(sourceCode: SourceCode, node: Node): Key {
  const key = keyOf(sourceCode, node);
  const element = mappedElement(sourceCode, node);
  return element ? { ...element, text: key.text } : key;
}

function releasesOf(file: FileFacts): Release[] {
  return file.commands.flatMap((command) => {
    const kind = releaseKind(file, command);
    if (!kind) return [];
    const place = placeOf(command.call);
    return command.keys.map((keyNode) => ({
      ...kind,
      command,
      keyNode,
      key: keyFrom(file.sourceCode, keyNode),
      place,
    }));
  });
}

function releaseKind(file: FileFacts, command: RedisCommand): { kind: ReleaseKind; check: OwnershipCheck | null } | null {
  switch (command.op) {
    case 'script':
      return command.script && isCompareAndDelete(verdictOf(command.script)) ? { kind: 'script', check: null } : null;
    case 'delex': {
      const compared = command.args.length > 0;
      return { kind: compared ? 'native' : 'blind', check: null };
    }
    case 'del': {
      if (isWatched(file, command)) return { kind: 'watched', check: null };
      const check = ownershipCheck(file, command);
      if (check) return { kind: 'compared', check };
      return { kind: followsLoss(file, command) ? 'afterLost' : 'blind', check: null };
    }
    default:
      return null;
  }
}

/** Is the DEL part of a MULTI whose key was WATCHed before in the same function? */
function isWatched(file: FileFacts, command: RedisCommand): boolean {
  if (!command.queued) return false;
  const place = placeOf(command.call);
  return file.commands.some(
    (other) =>
      other.op === 'watch' &&
      other.call.range[0] < command.call.range[0] &&
      sharedFunction(placeOf(other.call), place) !== null,
  );
}

/** Does the DEL run because of the reply of a release script of the same key? */
function followsLoss(file: FileFacts, command: RedisCommand): boolean {
  for (const fact of factsAt(command.call)) {
    const release = scriptReplyIn(file, fact.condition);
    if (release && shareAKey(file.sourceCode, release, command)) return true;
  }
  return false;
}

function scriptReplyIn(file: FileFacts, condition: Node): RedisCommand | null {
  const sides = condition.type === 'BinaryExpression' ? [condition.left as Node, condition.right] : [condition];
  for (const side of sides) {
    const node = resolve(file.sourceCode, side);
    const inner = node.type === 'CallExpression' && calleeName(node) === 'Number' ? node.arguments[0] : node;
    const command = inner && file.commandOf.get(unwrap(inner));
    if (command?.op === 'script' && command.script && isCompareAndDelete(verdictOf(command.script))) return command;
  }
  return null;
}

function shareAKey(sourceCode: SourceCode, a: RedisCommand, b: RedisCommand): boolean {
  const keys = new Set(a.keys.map((key) => keyOf(sourceCode, key).exact));
  return b.keys.some((key) => keys.has(keyOf(sourceCode, key).exact));
}

/** Is the release one of the lock that the acquire takes, and does the pair make it a lock? */
function belongs(file: FileFacts, acquire: Acquire, release: Release): boolean {
  const shared = sharedFunction(acquire.place, release.place);
  if (shared && acquire.key.exact === release.key.exact) {
    return belongsInOneFlow(acquire, release, shared);
  }
  if (!acquire.command) return false;
  return belongsAcrossFunctions(file, acquire, release);
}

function belongsInOneFlow(acquire: Acquire, release: Release, shared: Node): boolean {
  const path = pathTo(release.command.call, shared);
  const words = hasLockWord(`${acquire.key.words} ${acquire.place.words} ${release.place.words}`);
  if (release.command.call.range[0] < acquire.node.range[0] && !words) return false;
  // A helper's name alone is thin evidence: ask for the `finally` as well.
  if (!acquire.command) return path === 'finally' && words;
  if (path === 'catch') return false;
  if (isUsual(path, release, shared)) return true;
  return words;
}

/** Not behind a condition that has nothing to do with holding the lock. */
function isUsual(path: Path, release: Release, shared: Node): boolean {
  for (const fact of factsAt(release.command.call, shared)) {
    if (!contains(fact.source, release.command.call)) continue;
    if (isLostWork(fact.condition)) return false;
  }
  return path === 'finally' || path === 'normal';
}

/** `if (!result.ok)`, `if (failed)`: the branch of work that failed gives a claim back. */
const isLostWork = (condition: Node): boolean => {
  const name = lastName(condition);
  return name !== null && /^(?:ok|success|succeeded|failed|failure|error|err|done|completed|sent|delivered|saved)$/i.test(name);
};

function lastName(condition: Node): string | null {
  const node = unwrap(condition);
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? propertyName(node) : null;
}

function belongsAcrossFunctions(file: FileFacts, acquire: Acquire, release: Release): boolean {
  const from = acquire.place;
  const to = release.place;
  if (!sameOwner(from, to) && !(isTelling(acquire.key) && acquire.key.shape === release.key.shape)) return false;
  if (pathTo(release.command.call, to.named) === 'catch') return false;
  const compares = release.kind === 'script' || release.kind === 'native';
  if (isForcedName(to.name) && !compares) return false;
  const words = hasLockWord(`${acquire.key.words} ${from.words} ${to.words} ${release.key.words}`);
  const pair = isAcquireName(from.name) && isReleaseName(to.name);
  const sameShape = acquire.key.shape === release.key.shape;
  if (sameShape && isTelling(acquire.key)) return compares || ((words || pair) && !givesBack(file, release));
  const bare = isBareParameter(release.key) || release.key.shape.startsWith('*');
  if (!bare && !isBareParameter(acquire.key)) return false;
  if (isGenericName(to.name)) return false;
  return (pair || isReleaseName(to.name)) && (words || (pair && sameShape)) && !givesBack(file, release);
}

/** Is the release's function called in this file, and only after errors? Then it gives a claim back. */
function givesBack(file: FileFacts, release: Release): boolean {
  const { named, name } = release.place;
  if (!named || !name) return false;
  const calls = file.calls.filter((call) => calleeName(call) === name && !contains(named, call));
  return calls.length > 0 && calls.every((call) => pathTo(call, null) === 'catch') && !hasLockWord(`${name} ${release.key.words}`);
}

/** A key that is later overwritten with another value is a record (a cache entry, an idempotency result), not a lock. */
function isRecord(file: FileFacts, acquire: Acquire): boolean {
  const { command } = acquire;
  if (!command?.value) return false;
  const stored = file.sourceCode.getText(command.value);
  return file.commands.some((other) => {
    if (other === command || !other.keys[0] || !other.value) return false;
    if (other.op !== 'set' && other.op !== 'setex') return false;
    if (other.options.nx || (other.op === 'setex' && command.op === 'setex')) return false;
    const key = keyFrom(file.sourceCode, other.keys[0]);
    const same = key.exact === acquire.key.exact || (isTelling(key) && key.shape === acquire.key.shape);
    return same && file.sourceCode.getText(other.value) !== stored && !isAfterExistsPair(command, other);
  });
}

const isAfterExistsPair = (a: RedisCommand, b: RedisCommand): boolean => a.op === b.op && !a.options.nx;
