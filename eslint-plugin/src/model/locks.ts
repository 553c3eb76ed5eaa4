/** Commands -> locks: which acquire and which releases belong together, and is it a lock at all? */
import type { CallExpression, Node, SourceCode } from '../types.js';
import { isCompareAndDelete } from '../lua/verdict.js';
import { calleeName, contains, functionName, objectProperty, stringValue, unwrap } from './ast.js';
import type { RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { factsAt, pathTo } from './guards.js';
import { isBareParameter, isTelling, keyOf, mappedElement, type Key } from './keys.js';
import {
  hasLockWord,
  isAcquireName,
  isForcedName,
  isGenericName,
  isMarkerWord,
  isReleaseName,
} from './names.js';
import { ownershipCheck, type OwnershipCheck } from './ownership.js';
import { placeOf, sameOwner, sharedFunction, type Place } from './place.js';
import { replyNames } from './replies.js';
import { verdictOf } from './scripts.js';
import { resolve } from './values.js';

export interface Acquire {
  call: CallExpression;
  /** The command; null for a helper of another file, known by its name only. */
  command: RedisCommand | null;
  /** What is stored; null where it can't be seen. */
  value: Node | null;
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
  | 'watched'
  /** A helper of another file, known by its name and by the value it is given. */
  | 'helper';

export interface Release {
  kind: ReleaseKind;
  call: CallExpression;
  /** The command; null for a helper. */
  command: RedisCommand | null;
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
  const ignored = (key: Key): boolean =>
    settings.ignoreKeys.some((part) => key.words.includes(part) || key.text.includes(part));
  const acquires = [...acquiresOf(file), ...helperAcquires(file)].filter((a) => !ignored(a.key));
  const releases = [...releasesOf(file), ...helperReleases(file)].filter((r) => !ignored(r.key));
  const locks = acquires
    .map((acquire) => ({ acquire, releases: releasesFor(file, acquire, releases, acquires) }))
    .filter((lock) => lock.releases.length > 0 && !isRecord(file, lock.acquire));
  const linked = new Set(locks.flatMap((lock) => lock.releases));
  return { locks, stray: releases.filter((release) => !linked.has(release) && isLockRelease(file, release)) };
}

/** A comparing release that names itself one: `releaseLock(key, token)` in a file of its own. */
function isLockRelease(file: FileFacts, release: Release): boolean {
  const { names, words } = release.place;
  const named =
    hasLockWord(`${words} ${release.key.words}`) && (names.some(isReleaseName) || names.some(hasLockWord));
  switch (release.kind) {
    case 'compared':
      return named && unwrap(release.check?.token ?? release.call).type !== 'Literal';
    case 'script':
    case 'native':
      return named;
    case 'blind':
      return (
        named && names.some(isReleaseName) && !names.some(isForcedName) && isRenewedByOwner(file, release.key)
      );
    default:
      return false;
  }
}

/** Does the file extend the same key after a look at its owner? Then it has an owner. */
const isRenewedByOwner = (file: FileFacts, key: Key): boolean =>
  isTelling(key) &&
  file.commands.some(
    (command) =>
      command.op === 'expire' &&
      command.keys.some((k) => keyFrom(file.sourceCode, k).shape === key.shape) &&
      ownershipCheck(file, command) !== null,
  );

function acquiresOf(file: FileFacts): Acquire[] {
  return file.commands
    .filter((command) => isAcquire(file, command))
    .map((command) => {
      const keyNode = command.keys[0] as Node;
      return {
        call: command.call,
        command,
        value: command.value,
        key: keyFrom(file.sourceCode, keyNode),
        keyNode,
        place: placeOf(command.call),
      };
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
  return file.commands.some(
    (other) =>
      (other.op === 'exists' || other.op === 'get') &&
      other.keys.some((k) => {
        const read = keyFrom(file.sourceCode, k);
        return read.exact === key.exact || (isTelling(key) && read.shape === key.shape);
      }),
  );
}

const HELPER_NAME =
  /^(?:try|attempt)?_?(?:to)?_?(?:acquire|obtain|take|grab|get|set)?_?\w*lock$|^(?:try)?acquire\w*$/i;

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
    // acquire(key, 'true', 30_000): a value, when a TTL follows it.
    const [, second, third] = call.arguments;
    const value = second && third && stringValue(second) !== null ? second : null;
    found.push({ call, command: null, value, key, keyNode, place: placeOf(call) });
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

/** `locks.release(key, 'literal')`: a release helper that is given the same literal as the acquire. */
function helperReleases(file: FileFacts): Release[] {
  return file.calls.flatMap((call) => {
    const [keyNode, value] = call.arguments;
    if (
      !keyNode ||
      file.commandOf.has(call) ||
      !isReleaseName(calleeName(call)) ||
      stringValue(value) === null
    )
      return [];
    const key = keyFrom(file.sourceCode, keyNode);
    return [
      { kind: 'helper' as const, call, command: null, key, keyNode, place: placeOf(call), check: null },
    ];
  });
}

function releasesOf(file: FileFacts): Release[] {
  return file.commands.flatMap((command) => {
    const kind = releaseKind(file, command);
    if (!kind) return [];
    const place = placeOf(command.call);
    return command.keys.map((keyNode) => ({
      ...kind,
      call: command.call,
      command,
      keyNode,
      key: keyFrom(file.sourceCode, keyNode),
      place,
    }));
  });
}

function releaseKind(
  file: FileFacts,
  command: RedisCommand,
): { kind: ReleaseKind; check: OwnershipCheck | null } | null {
  switch (command.op) {
    case 'script':
      return command.script && isCompareAndDelete(verdictOf(command.script))
        ? { kind: 'script', check: null }
        : null;
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
  const queued = command.queued || /multi|batch|pipeline|tx|trans/i.test(receiverText(file, command));
  if (!queued) return false;
  const place = placeOf(command.call);
  return file.commands.some(
    (other) =>
      other.op === 'watch' &&
      other.call.range[0] < command.call.range[0] &&
      sharedFunction(placeOf(other.call), place) !== null,
  );
}

const receiverText = (file: FileFacts, command: RedisCommand): string =>
  command.receiver ? file.sourceCode.getText(command.receiver) : '';

/** Does the DEL run because of the reply of a release script of the same key? */
function followsLoss(file: FileFacts, command: RedisCommand): boolean {
  for (const fact of factsAt(command.call)) {
    const release = scriptReplyIn(file, fact.condition);
    if (release && shareAKey(file.sourceCode, release, command)) return true;
  }
  return false;
}

function scriptReplyIn(file: FileFacts, condition: Node): RedisCommand | null {
  const sides =
    condition.type === 'BinaryExpression' ? [condition.left as Node, condition.right] : [condition];
  for (const side of sides) {
    const node = resolve(file.sourceCode, side);
    const inner = node.type === 'CallExpression' && calleeName(node) === 'Number' ? node.arguments[0] : node;
    const command = inner && file.commandOf.get(unwrap(inner));
    if (command?.op === 'script' && command.script && isCompareAndDelete(verdictOf(command.script)))
      return command;
  }
  return null;
}

function shareAKey(sourceCode: SourceCode, a: RedisCommand, b: RedisCommand): boolean {
  const keys = new Set(a.keys.map((key) => keyOf(sourceCode, key).exact));
  return b.keys.some((key) => keys.has(keyOf(sourceCode, key).exact));
}

/** Which releases belong to the lock that an acquire takes, and do they make it a lock? */
function releasesFor(
  file: FileFacts,
  acquire: Acquire,
  releases: readonly Release[],
  others: readonly Acquire[],
): Release[] {
  const candidates = releases.filter((release) => belongs(file, acquire, release));
  // A bare `release(key)` goes with the bare `acquire(key)` beside it, not with every key of the file.
  const sure = candidates.filter((release) => !isMixed(acquire, release));
  if (sure.length > 0) return sure;
  return candidates.filter(
    (release) =>
      !others.some((other) => other !== acquire && !isMixed(other, release) && belongs(file, other, release)),
  );
}

const isMixed = (acquire: Acquire, release: Release): boolean =>
  acquire.key.exact !== release.key.exact && acquire.key.shape !== release.key.shape;

function belongs(file: FileFacts, acquire: Acquire, release: Release): boolean {
  const shared = sharedFunction(acquire.place, release.place);
  if (shared && acquire.key.exact === release.key.exact)
    return belongsInOneFlow(file, acquire, release, shared);
  const commands = acquire.command !== null && release.command !== null;
  return commands && isNx(acquire.command) && belongsAcrossFunctions(file, acquire, release);
}

const isNx = (command: RedisCommand | null): boolean =>
  command !== null && (command.options.nx || command.op === 'script');

const sameLiteral = (acquire: Acquire, release: Release): boolean =>
  acquire.value !== null && stringValue(acquire.value) === stringValue(release.call.arguments[1]);

function belongsInOneFlow(file: FileFacts, acquire: Acquire, release: Release, shared: Node): boolean {
  const path = pathTo(release.call, shared);
  const words = hasLockWord(
    `${acquire.key.words} ${acquire.place.words} ${release.place.words} ${calleeName(acquire.call) ?? ''}`,
  );
  if (release.kind === 'helper')
    return acquire.command === null && path === 'finally' && sameLiteral(acquire, release);
  // A helper's name, or an EXISTS before a SETEX, is thin evidence: ask for the `finally` as well.
  if (!isNx(acquire.command)) return path === 'finally' && words && release.kind !== 'script';
  if (release.call.range[0] < acquire.call.range[0] && !words) return false;
  if (path === 'catch') return false;
  return words || path === 'finally' || isUsual(file, acquire, release, shared);
}

/** Not behind a condition that has nothing to do with holding the lock. */
function isUsual(file: FileFacts, acquire: Acquire, release: Release, shared: Node): boolean {
  const names = replyNames(file.sourceCode, acquire.call);
  for (const fact of factsAt(release.call, shared)) {
    if (fact.source.range[1] < acquire.call.range[0] || contains(fact.source, acquire.call)) continue;
    const text = file.sourceCode.getText(fact.condition);
    const aboutLock = /lock|acquired|held|owner|token|lease|redis|client/i.test(text);
    if (!aboutLock && !names.some((name) => new RegExp(`\\b${name}\\b`).test(text))) return false;
  }
  return true;
}

function belongsAcrossFunctions(file: FileFacts, acquire: Acquire, release: Release): boolean {
  const from = acquire.place;
  const to = release.place;
  const sameShape = acquire.key.shape === release.key.shape;
  const telling = sameShape && isTelling(acquire.key);
  if (!sameOwner(from, to) && !telling) return false;
  if (pathTo(release.call, to.functions.at(-1) ?? null) === 'catch') return false;
  const compares = release.kind === 'script' || release.kind === 'native';
  if (to.names.some(isForcedName) && !compares) return false;
  const keyWords = `${acquire.key.words} ${release.key.words}`;
  const words = hasLockWord(`${keyWords} ${from.words} ${to.words}`);
  const marker =
    isMarkerWord(`${keyWords} ${from.words} ${to.words}`) && !hasLockWord(`${keyWords} ${to.words}`);
  if (marker) return false;
  const releases = to.names.some(isReleaseName);
  const pair = from.names.some(isAcquireName) && releases;
  if (telling) return compares || ((words || pair) && !givesBack(file, release));
  const bare = isBareParameter(release.key) || isBareParameter(acquire.key);
  if (!bare || to.names.every(isGenericName)) return false;
  return releases && (words || (pair && sameShape)) && !givesBack(file, release);
}

/** Is the release's function called in this file, and only after errors? Then it gives a claim back. */
function givesBack(file: FileFacts, release: Release): boolean {
  const named = release.place.functions.find((fn) => functionName(fn) !== null);
  const name = named && functionName(named);
  if (!name) return false;
  const calls = file.calls.filter((call) => calleeName(call) === name && !contains(named, call));
  return (
    calls.length > 0 &&
    calls.every((call) => pathTo(call, null) === 'catch') &&
    !hasLockWord(`${name} ${release.key.words}`)
  );
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
