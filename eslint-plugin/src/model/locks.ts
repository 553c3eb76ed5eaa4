/** Commands -> locks: which acquire, releases and renewals belong together. */
import { acquiresOf } from './acquires.js';
import { type Acquire, type Release, type Renewal } from './acts.js';
import { unwrap } from './ast.js';
import type { RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { isTelling, type Key } from './keys.js';
import { actsFor, isNamedRelease, isNamedRenewal, releaseBelongs, renewalBelongs } from './links.js';
import { indexActs } from './nearby.js';
import { hasLockWord, isForcedName, isReleaseName } from './names.js';
import { releasesOf } from './releases.js';
import { renewalsOf } from './renewals.js';

export interface Lock {
  acquire: Acquire;
  releases: Release[];
  renewals: Renewal[];
}

export interface Locks {
  /** Acquires with what shows that they are locks: a release or a renewal. */
  locks: Lock[];
  /** Releases and renewals that surely belong to a lock whose acquire stands in another file. */
  strayReleases: Release[];
  strayRenewals: Renewal[];
}

export function findLocks(file: FileFacts, settings: { ignoreKeys: readonly string[] }): Locks {
  const looked = (act: { key: Key }): boolean =>
    !settings.ignoreKeys.some((part) => act.key.words.includes(part) || act.key.text.includes(part));
  const acquires = acquiresOf(file).filter(looked);
  const releases = releasesOf(file).filter(looked);
  const renewals = renewalsOf(file).filter(looked);
  const releasesNear = indexActs(releases, isNamedRelease);
  const renewalsNear = indexActs(renewals, isNamedRenewal);
  const locks = acquires
    .map((acquire) => ({
      acquire,
      releases: actsFor(acquire, releasesNear(acquire), acquires, (a, release) =>
        releaseBelongs(file, a, release),
      ),
      renewals: actsFor(acquire, renewalsNear(acquire), acquires, renewalBelongs),
    }))
    .filter((lock) => lock.releases.length + lock.renewals.length > 0 && !isRecord(file, lock));
  const linked = new Set<Release | Renewal>(locks.flatMap((lock) => [...lock.releases, ...lock.renewals]));
  return {
    locks,
    strayReleases: releases.filter((release) => !linked.has(release) && isLockRelease(renewals, release)),
    strayRenewals: renewals.filter((renewal) => !linked.has(renewal) && isLockRenewal(renewal)),
  };
}

/** A comparing release that names itself one: `releaseLock(key, token)` in a file of its own. */
function isLockRelease(renewals: readonly Renewal[], release: Release): boolean {
  const { names, words } = release.place;
  if (!hasLockWord(`${words} ${release.key.words}`)) return false;
  const named = names.some(isReleaseName) || names.some(hasLockWord);
  switch (release.kind) {
    case 'compared':
      return named && unwrap(release.check?.token ?? release.call).type !== 'Literal';
    case 'script':
    case 'native':
    case 'afterLost':
      return named;
    case 'blind':
      return (
        names.some(isReleaseName) && !names.some(isForcedName) && isRenewedByOwner(renewals, release.key)
      );
    default:
      return false;
  }
}

/** A renewal that compares, of a key or in a function that speaks of a lock. */
const isLockRenewal = (renewal: Renewal): boolean =>
  renewal.kind !== 'blind' && hasLockWord(`${renewal.place.words} ${renewal.key.words}`);

/** Does the file extend the same key after a look at its owner? Then it has an owner. */
const isRenewedByOwner = (renewals: readonly Renewal[], key: Key): boolean =>
  isTelling(key) && renewals.some((renewal) => renewal.check !== null && renewal.key.shape === key.shape);

/** A key that is later overwritten with another value is a record (a cache entry, an idempotency result), not a lock. */
function isRecord(file: FileFacts, lock: Lock): boolean {
  const { command, key } = lock.acquire;
  if (!command?.value) return false;
  const stored = file.sourceCode.getText(command.value);
  return file
    .commandsOn(key)
    .some(
      (other) =>
        other !== command &&
        other.value !== null &&
        overwrites(command, other) &&
        file.sourceCode.getText(other.value) !== stored,
    );
}

const overwrites = (acquire: RedisCommand, other: RedisCommand): boolean =>
  (other.op === 'set' || other.op === 'setex') &&
  !other.options.nx &&
  !(other.op === acquire.op && !acquire.options.nx);
