/** Does an act belong to the lock that an acquire takes, and does the pair make it a lock? */
import type { Node } from '../types.js';
import type { Acquire, Act, Release, Renewal } from './acts.js';
import { isConditional } from './acquires.js';
import { calleeName, contains, functionName } from './ast.js';
import type { FileFacts } from './file.js';
import { factsAt, pathTo } from './guards.js';
import { isBareParameter, isTelling } from './keys.js';
import {
  hasLockWord,
  isAcquireName,
  isForcedName,
  isGenericName,
  isMarkerWord,
  isReleaseName,
  isRenewName,
} from './names.js';
import { sameOwner, sharedFunction } from './place.js';
import { replyNames } from './replies.js';

/** The acts of an acquire among all of the file, by `belongs`. */
export function actsFor<T extends Act>(
  acquire: Acquire,
  acts: readonly T[],
  others: readonly Acquire[],
  belongs: (acquire: Acquire, act: T) => boolean,
): T[] {
  const candidates = acts.filter((act) => belongs(acquire, act));
  // A bare `release(key)` goes with the bare `acquire(key)` beside it, not with every key of the file.
  const sure = candidates.filter((act) => !isMixed(acquire, act));
  if (sure.length > 0) return sure;
  return candidates.filter(
    (act) => !others.some((other) => other !== acquire && !isMixed(other, act) && belongs(other, act)),
  );
}

const isMixed = (acquire: Acquire, act: Act): boolean =>
  acquire.key.exact !== act.key.exact && acquire.key.shape !== act.key.shape;

/** Does a release name itself one, so that it may be linked without its key? */
export const isNamedRelease = ({ place }: Release): boolean => place.names.some(isReleaseName);

/** The same for a renewal: by its name, by a timer around it, or by its look at the owner. */
export const isNamedRenewal = (renewal: Renewal): boolean =>
  renewal.kind === 'script' ||
  renewal.check !== null ||
  renewal.place.names.some(isRenewName) ||
  isOnTimer(renewal.call, null);

/** The function that both stand in, when the key is the same in one run of it. */
const flowOf = (acquire: Acquire, act: Act): Node | null =>
  acquire.key.exact === act.key.exact ? sharedFunction(acquire.place, act.place) : null;

export function releaseBelongs(file: FileFacts, acquire: Acquire, release: Release): boolean {
  const flow = flowOf(acquire, release);
  if (flow) return releaseInFlow(file, acquire, release, flow);
  return isConditional(acquire) && release.command !== null && releaseAcross(file, acquire, release);
}

export function renewalBelongs(acquire: Acquire, renewal: Renewal): boolean {
  if (!isConditional(acquire) || acquire.command === renewal.command) return false;
  const flow = flowOf(acquire, renewal);
  const words = hasLockWord(`${acquire.key.words} ${acquire.place.words} ${renewal.place.words}`);
  if (flow && setsFirstTtl(acquire, renewal, flow)) return false;
  if (flow)
    return (
      (renewal.kind === 'script' || words || isOnTimer(renewal.call, flow)) &&
      pathTo(renewal.call, flow) !== 'catch'
    );
  // A bare `expire(key)` of a class goes with a bare `acquire(key)`, never with the key of something else.
  if (isMixed(acquire, renewal) || !linked(acquire, renewal, renewal.kind === 'script')) return false;
  return renewal.kind === 'script' || (words && isNamedRenewal(renewal));
}

/** SETNX, then EXPIRE in the same function: the EXPIRE is a part of the acquire. */
const setsFirstTtl = (acquire: Acquire, renewal: Renewal, flow: Node): boolean =>
  acquire.command?.options.ttl === null &&
  renewal.place.functions[0] === acquire.place.functions[0] &&
  !isOnTimer(renewal.call, flow);

/** Inside the callback of `setInterval` or `setTimeout`. */
export function isOnTimer(node: Node, stop: Node | null): boolean {
  for (let up = node.parent; up && up !== stop; up = up.parent) {
    if (up.type === 'CallExpression' && /^set(?:Interval|Timeout)$/.test(calleeName(up) ?? '')) return true;
  }
  return false;
}

/** Do an acquire and a release of a helper get the same value? */
function sameValue({ sourceCode }: FileFacts, acquire: Acquire, release: Release): boolean {
  const given = release.call.arguments[1];
  return (
    acquire.value !== null &&
    given !== undefined &&
    sourceCode.getText(acquire.value) === sourceCode.getText(given)
  );
}

function releaseInFlow(file: FileFacts, acquire: Acquire, release: Release, flow: Node): boolean {
  const path = pathTo(release.call, flow);
  const helper = calleeName(acquire.call) ?? '';
  const words = hasLockWord(`${acquire.key.words} ${acquire.place.words} ${release.place.words} ${helper}`);
  if (release.kind === 'helper')
    return acquire.command === null && path === 'finally' && sameValue(file, acquire, release);
  // A helper's name, or an EXISTS before a SETEX, is thin evidence: ask for the `finally` as well.
  if (!isConditional(acquire)) return path === 'finally' && words && release.kind !== 'script';
  if (release.call.range[0] < acquire.call.range[0] && !words) return false;
  if (path === 'catch') return false;
  // Whoever compares and deletes what was set with NX has a lock.
  if (comparesInside(release)) return true;
  return words || path === 'finally' || isUsual(file, acquire, release, flow);
}

/** Compared and deleted in one step inside Redis. */
const comparesInside = (release: Release): boolean => release.kind === 'script' || release.kind === 'native';

/** Not behind a condition that has nothing to do with holding the lock. */
function isUsual(file: FileFacts, acquire: Acquire, release: Release, flow: Node): boolean {
  const names = replyNames(file.sourceCode, acquire.call);
  for (const fact of factsAt(release.call, flow)) {
    if (fact.source.range[1] < acquire.call.range[0] || contains(fact.source, acquire.call)) continue;
    const text = file.sourceCode.getText(fact.condition);
    const aboutLock = /lock|acquired|held|owner|token|lease|redis|client/i.test(text);
    if (!aboutLock && !names.some((name) => new RegExp(`\\b${name}\\b`).test(text))) return false;
  }
  return true;
}

function releaseAcross(file: FileFacts, acquire: Acquire, release: Release): boolean {
  const from = acquire.place;
  const to = release.place;
  const compares = comparesInside(release);
  if (pathTo(release.call, to.functions.at(-1) ?? null) === 'catch') return false;
  if (to.names.some(isForcedName) && !compares) return false;
  if (!linked(acquire, release, false)) return false;
  const words = hasLockWord(`${acquire.key.words} ${release.key.words} ${from.words} ${to.words}`);
  const releases = isNamedRelease(release);
  const pair = from.names.some(isAcquireName) && releases;
  if (isSameTelling(acquire, release)) return compares || ((words || pair) && !givesBack(file, release));
  if (to.names.every(isGenericName)) return false;
  const sameShape = acquire.key.shape === release.key.shape;
  return releases && (words || (pair && sameShape)) && !givesBack(file, release);
}

const isSameTelling = (acquire: Acquire, act: Act): boolean =>
  acquire.key.shape === act.key.shape && isTelling(acquire.key);

/** May the keys be the same, and are both of one owner? Markers (dedupe, cooldown …) are no locks. */
function linked(acquire: Acquire, act: Act, compares: boolean): boolean {
  const telling = isSameTelling(acquire, act);
  if (!telling && !sameOwner(acquire.place, act.place)) return false;
  if (!telling && !isBareParameter(act.key) && !isBareParameter(acquire.key)) return false;
  if (compares) return true;
  const keyWords = `${acquire.key.words} ${act.key.words}`;
  const marker = isMarkerWord(`${keyWords} ${acquire.place.words} ${act.place.words}`);
  return !marker || hasLockWord(`${keyWords} ${act.place.words}`);
}

/** Is the release's function called in this file, and only after errors? Then it gives a claim back. */
function givesBack(file: FileFacts, release: Release): boolean {
  const named = release.place.functions.find((fn) => functionName(fn) !== null);
  const name = named && functionName(named);
  if (!name || hasLockWord(`${name} ${release.key.words}`)) return false;
  const calls = file.callsNamed(name).filter((call) => !contains(named, call));
  return calls.length > 0 && calls.every((call) => pathTo(call, null) === 'catch');
}
