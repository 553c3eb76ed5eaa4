/** The functional forms: the client first, for code that is repaired call by call. */
import { checkKey, checkToken, checkTtl, show, wrongType, type AcquireOptions } from './arguments.js';
import { adapterOf, type RedisClient } from './clients/index.js';
import { lossOf, sendRelease, sendRenew, type Held, type ReleaseOutcome } from './commands.js';
import { LockUnavailableError } from './errors.js';
import type { Lost } from './events.js';
import type { LockLease } from './lease.js';
import { Locks } from './locks.js';
import { announce } from './losses.js';
import type { Work } from './work.js';

/** How long a command without a lease's own deadline may take. */
const COMMAND_MS = 5_000;

const functional = new WeakMap<object, Locks>();

/** The locks of the functional forms: one for each client. */
function locksOf(client: RedisClient): Locks {
  const redis = adapterOf(client);
  let locks = functional.get(client);
  if (!locks) {
    locks = new Locks(redis, {});
    functional.set(client, locks);
  }
  return locks;
}

/** {@link Locks.tryAcquire} with the client first. */
export async function tryAcquireLease(
  client: RedisClient,
  key: string,
  options: AcquireOptions,
): Promise<LockLease | null> {
  return locksOf(client).tryAcquire(key, options);
}

/** {@link Locks.acquire} with the client first. */
export async function acquireLease(
  client: RedisClient,
  key: string,
  options: AcquireOptions,
): Promise<LockLease> {
  return locksOf(client).acquire(key, options);
}

/** {@link Locks.withLock} with the client first. */
export async function withLock<T>(
  client: RedisClient,
  key: string,
  options: AcquireOptions,
  work: Work<T>,
): Promise<T> {
  return locksOf(client).withLock(key, options, work);
}

/**
 * Gives a lock back: compared and deleted inside Redis. Never rejects for a lost lease or a dead connection.
 *
 * @param lease a lease of this runtime
 * @returns what became of it
 */
export function releaseLease(lease: LockLease): Promise<ReleaseOutcome>;
/**
 * The same for code that keeps its own token.
 *
 * @param client the client that the lock was taken with
 * @param key the key of the lock
 * @param token what the acquire stored
 * @throws TypeError for wrong arguments only
 */
export function releaseLease(client: RedisClient, key: string, token: string): Promise<ReleaseOutcome>;
export async function releaseLease(
  ...args: [LockLease] | [RedisClient, string, string]
): Promise<ReleaseOutcome> {
  if (args.length === 1) {
    const [lease] = args as [unknown];
    if (isLease(lease)) return lease.release();
    return wrongType(
      `lease must be one that acquire answered, got ${show(lease)}; or call releaseLease(client, key, token)`,
    );
  }
  const [client, key, token] = args;
  const held = heldBy(client, key, token);
  const outcome = await sendRelease(held, COMMAND_MS);
  const reason = lossOf(outcome);
  if (reason) announce(lost(key, reason, 'release'));
  return outcome;
}

const heldBy = (client: RedisClient, key: string, token: string): Held => ({
  redis: adapterOf(client),
  key: checkKey(key),
  token: checkToken(token),
  companion: null,
});

const lost = (key: string, reason: Lost['reason'], at: Lost['at']): Lost => ({
  type: 'lost',
  key,
  reason,
  at,
  holdMs: null,
  stalledMs: 0,
});

/** By what it can do: a lease of the other build of this package is one as well. */
const isLease = (value: unknown): value is LockLease =>
  typeof value === 'object' && value !== null && 'throwIfLost' in value && 'release' in value;

/**
 * Extends a lock for code that keeps its own token. It never creates a key and never shortens a TTL.
 *
 * @param ttlMs the new TTL in milliseconds, an integer of at least 100
 * @returns false only for a sure loss: stop the work then
 * @throws LockUnavailableError when Redis did not answer: the lock may still be held
 */
export async function renewLease(
  client: RedisClient,
  key: string,
  token: string,
  ttlMs: number,
): Promise<boolean> {
  const held = heldBy(client, key, token);
  const answer = await sendRenew(held, checkTtl(ttlMs), Math.min(ttlMs, COMMAND_MS)).catch(
    (error: unknown) => {
      throw new LockUnavailableError(key, 'renew', error);
    },
  );
  if (answer !== true) announce(lost(key, answer, 'renewal'));
  return answer === true;
}
