/** The locks of one client: acquire, run under a lock, shut down. */
import {
  checkKey,
  checkOptions,
  checkToken,
  checkTtl,
  checkWork,
  show,
  wrongType,
  type AcquireOptions,
  type CheckedOptions,
} from './arguments.js';
import type { RedisAdapter } from './clients/adapter.js';
import { adapterOf, type RedisClient } from './clients/index.js';
import { sendAcquire, sendRelease, sendRenew, giveBack, type Held, type ReleaseOutcome } from './commands.js';
import { Deadline, now, TimeOver } from './deadline.js';
import {
  LeaseLostError,
  LockBusyError,
  LocksClosedError,
  LockUnavailableError,
  LockUnknownError,
} from './errors.js';
import { LockLease } from './lease.js';
import { publishLoss } from './losses.js';
import { ClientClosed } from './scripts.js';
import { newToken } from './token.js';
import { waitFor } from './waiting.js';

/** Work under a lock. */
export type Work<T> = (lease: LockLease) => T | PromiseLike<T>;

/** How long a command without a lease's own deadline may take. */
const COMMAND_MS = 5_000;

export class Locks {
  readonly #redis: RedisAdapter;
  readonly #defaults: AcquireOptions;
  readonly #leases = new Set<LockLease>();
  readonly #works = new Set<Promise<unknown>>();
  #closed = false;

  /** @internal Use `createLocks`. */
  constructor(redis: RedisAdapter, defaults: AcquireOptions) {
    this.#redis = redis;
    this.#defaults = defaults;
  }

  /**
   * Asks for the lock, waiting at most `waitMs`.
   *
   * @param key the Redis key, used as it is
   * @returns the lease, or null when somebody else holds the lock
   * @throws LockUnavailableError, LockUnknownError when Redis could not be asked
   */
  async tryAcquire(key: string, options?: AcquireOptions): Promise<LockLease | null> {
    return this.#acquire(checkKey(key), checkOptions(this.#defaults, options, false));
  }

  /**
   * As `tryAcquire`, for callers who need the lock.
   *
   * @throws LockBusyError when somebody else holds it
   */
  async acquire(key: string, options?: AcquireOptions): Promise<LockLease> {
    const checked = checkOptions(this.#defaults, options, false);
    return this.#need(checkKey(key), checked);
  }

  /**
   * Runs work under the lock. The lease renews itself unless `renew: false`, and is released at the end.
   *
   * @returns what the work returns
   * @throws the work's own error, always; LockBusyError when the lock is held by somebody else; LeaseLostError, with the
   *   work's `result`, when the work ended without the lease
   */
  withLock<T>(key: string, work: Work<T>): Promise<T>;
  withLock<T>(key: string, options: AcquireOptions, work: Work<T>): Promise<T>;
  async withLock<T>(key: string, ...rest: [Work<T>] | [AcquireOptions, Work<T>]): Promise<T> {
    const [options, work] = rest.length === 1 ? [undefined, rest[0]] : rest;
    checkWork(work);
    const checked = checkOptions(this.#defaults, options, true);
    const lease = await this.#need(checkKey(key), checked);
    const running = runUnder(lease, work);
    this.#works.add(running);
    try {
      return await running;
    } finally {
      this.#works.delete(running);
    }
  }

  /**
   * Shuts down: nothing is acquired any more, running work is given time to end, and every lease is released.
   *
   * @param options.graceMs how long to wait for running work, in milliseconds; what is held then is left to its TTL
   */
  async close({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    if (typeof graceMs !== 'number' || !(graceMs >= 0)) {
      wrongType(`graceMs must be a number of milliseconds from 0 on, got ${show(graceMs)}`);
    }
    this.#closed = true;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.allSettled(this.#works), grace]);
    clearTimeout(timer);
    if (this.#works.size > 0) return;
    await Promise.all([...this.#leases].map((lease) => lease.release()));
  }

  async #need(key: string, options: CheckedOptions): Promise<LockLease> {
    const lease = await this.#acquire(key, options);
    if (!lease) throw new LockBusyError(key, options.waitMs);
    return lease;
  }

  #acquire(key: string, options: CheckedOptions): Promise<LockLease | null> {
    const attempt = (): Promise<LockLease | null> => this.#attempt(key, options);
    return options.waitMs > 0
      ? waitFor(attempt, options.waitMs, options.signal)
      : this.#once(attempt, options.signal);
  }

  async #once(
    attempt: () => Promise<LockLease | null>,
    signal: AbortSignal | null,
  ): Promise<LockLease | null> {
    signal?.throwIfAborted();
    return attempt();
  }

  /** One acquire with a token of its own. */
  async #attempt(key: string, { ttlMs, renew }: CheckedOptions): Promise<LockLease | null> {
    if (this.#closed) throw new LocksClosedError(key);
    const held: Held = { redis: this.#redis, key, token: newToken() };
    const start = now();
    const deadline = new Deadline(start, ttlMs);
    const taken = await sendAcquire(held, ttlMs, deadline.leftMs(start)).catch((error: unknown) => {
      throw failedAcquire(held, error);
    });
    if (!taken) return null;
    const lease: LockLease = new LockLease(held, ttlMs, deadline, renew, () => this.#leases.delete(lease));
    this.#leases.add(lease);
    return lease;
  }
}

/** Errors that a client or a server answers before anything was written. */
const SURELY_NOT =
  /connection is closed|isn't writeable|none of startup nodes|NOPERM|NOAUTH|WRONGTYPE|READONLY|unknown command|OOM|MISCONF|LOADING|CLUSTERDOWN|offline/i;

/** Tells a sure failure from an open one, and gives back what may have been taken. */
function failedAcquire(held: Held, error: unknown): LockUnavailableError | LockUnknownError {
  if (error instanceof ClientClosed) return new LockUnavailableError(held.key, 'take', error);
  if (error instanceof TimeOver) return new LockUnknownError(held.key, 'take', error);
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  if (SURELY_NOT.test(text)) return new LockUnavailableError(held.key, 'take', error);
  giveBack(held);
  return new LockUnknownError(held.key, 'take', error);
}

/** The work's own error wins; work that ended without the lease rejects with what it resolved with. */
async function runUnder<T>(lease: LockLease, work: Work<T>): Promise<T> {
  let result: T;
  try {
    result = await work(lease);
  } catch (error) {
    await lease.release();
    throw error;
  }
  try {
    lease.throwIfLost();
  } catch (error) {
    // Lost by the deadline, Redis may still hold the key: it is given back, and nobody waits for that.
    void lease.release();
    throw (error as LeaseLostError).withResult(result);
  }
  const outcome = await lease.release();
  if (outcome.released || outcome.reason === 'unconfirmed') return result;
  throw new LeaseLostError(lease.key, outcome.reason === 'taken' ? 'taken' : 'expired').withResult(result);
}

/**
 * Makes locks on a client.
 *
 * @param client a client of ioredis 5 or 6, iovalkey, or node-redis 4, 5 or 6; nothing is defined on it
 * @param defaults options for every call; each can be given per call, too
 * @throws TypeError that says what to pass, for anything else
 */
export function createLocks(client: RedisClient, defaults: AcquireOptions = {}): Locks {
  const redis = adapterOf(client);
  if (defaults.ttlMs === undefined) checkOptions({ ttlMs: 1_000 }, defaults, false);
  else checkOptions({}, defaults, false);
  return new Locks(redis, defaults);
}

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
  const held = { redis: adapterOf(client), key: checkKey(key), token: checkToken(token) };
  const outcome = await sendRelease(held, COMMAND_MS);
  if (!outcome.released && outcome.reason !== 'unconfirmed') {
    publishLoss({ key, reason: outcome.reason === 'taken' ? 'taken' : 'expired', at: 'release' });
  }
  return outcome;
}

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
  const held = { redis: adapterOf(client), key: checkKey(key), token: checkToken(token) };
  const answer = await sendRenew(held, checkTtl(ttlMs), Math.min(ttlMs, COMMAND_MS)).catch(
    (error: unknown) => {
      throw new LockUnavailableError(key, 'renew', error);
    },
  );
  if (answer !== true) publishLoss({ key, reason: answer, at: 'renewal' });
  return answer === true;
}
