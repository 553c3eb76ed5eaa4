/** The locks of one client: acquire, run under a lock, shut down. */
import {
  checkKey,
  checkOptions,
  checkWork,
  show,
  wrongType,
  type AcquireOptions,
  type CheckedOptions,
} from './arguments.js';
import { ask } from './acquiring.js';
import { advise, type AdviceOptions, type TtlAdvice } from './advice.js';
import type { RedisAdapter } from './clients/adapter.js';
import { adapterOf, type RedisClient } from './clients/index.js';
import { passedMs, sleep } from './clock.js';
import { giveBack } from './commands.js';
import { LockBusyError, LocksClosedError } from './errors.js';
import type { Observe } from './events.js';
import { LockLease, type Taken } from './lease.js';
import { announce } from './losses.js';
import { Metrics, type LockStats } from './metrics.js';
import { waitFor } from './waiting.js';
import { runUnder, type Work } from './work.js';

export class Locks {
  readonly #redis: RedisAdapter;
  readonly #defaults: AcquireOptions;
  readonly #leases = new Set<LockLease>();
  readonly #works = new Set<Promise<unknown>>();
  #closed = false;
  /** What ends each acquire that is under way when these locks are closed. */
  readonly #asking = new Set<() => void>();
  /** Aborts once these locks are closed and nothing is held any more. */
  readonly #idle = new AbortController();
  readonly #metrics = new Metrics();
  readonly #observe: Observe = (event) => {
    this.#metrics.record(event);
    announce(event);
  };

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
    const running = runUnder(lease, work, this.#redis.clock, this.#observe);
    this.#works.add(running);
    try {
      return await running;
    } finally {
      this.#works.delete(running);
      this.#tellIfIdle();
    }
  }

  /** What these locks have measured since they were made, as plain data: counts, and distributions in milliseconds. */
  stats(): LockStats {
    return this.#metrics.stats();
  }

  /**
   * The TTL that follows from what was measured: the P99 of the holds, a round trip, and margins for the commit and for pauses.
   * Locks of one kind of work make good advice: make one `createLocks` for each kind.
   *
   * @param options.commitMs from the last look at the lease to the commit of the write, in milliseconds
   * @returns `ttlMs`, or null with fewer than 20 holds, and what to look at
   * @throws TypeError when `commitMs` is no number of milliseconds
   */
  adviseTtl(options?: AdviceOptions): TtlAdvice {
    return advise(this.stats(), options);
  }

  /**
   * Shuts down: nothing is acquired any more, waiting ends, and the work is told to end by its lease's `signal`. What ends
   * within the grace is released as ever; what is held after it is renewed no longer and left to its TTL, since its work may
   * still run.
   *
   * @param options.graceMs how long to wait for the holders, in milliseconds; 0 by default
   */
  async close(options: { graceMs?: number } = {}): Promise<void> {
    const { graceMs = 0 } = options;
    if (typeof graceMs !== 'number' || !(graceMs >= 0)) {
      wrongType(`graceMs must be a number of milliseconds from 0 on, got ${show(graceMs)}`);
    }
    this.#closed = true;
    for (const close of [...this.#asking]) close();
    for (const lease of this.#leases) lease.abort(new LocksClosedError(lease.key));
    this.#tellIfIdle();
    await sleep(this.#redis.clock, graceMs, this.#idle.signal);
    for (const lease of this.#leases) lease.letExpire();
  }

  async #need(key: string, options: CheckedOptions): Promise<LockLease> {
    const lease = await this.#acquire(key, options);
    if (!lease) throw new LockBusyError(key, options.waitMs);
    return lease;
  }

  async #acquire(key: string, options: CheckedOptions): Promise<LockLease | null> {
    const { clock } = this.#redis;
    const { ttlMs, waitMs, signal } = options;
    const start = clock.now();
    let attempts = 0;
    const attempt = async (leftMs: number): Promise<Taken | null> => {
      this.#throwIfOver(key, signal);
      attempts += 1;
      return ask(this.#redis, key, options, leftMs);
    };
    const asking = waitMs > 0 ? waitFor(clock, waitMs, signal, attempt) : attempt(Infinity);
    const waitedMs = (): number => passedMs(start, clock.now());
    try {
      const taken = await this.#unlessOver(key, asking, signal);
      if (!taken) {
        this.#observe({ type: 'busy', key, waitMs: waitedMs(), attempts });
        return null;
      }
      this.#observe({ type: 'acquired', key, ttlMs, waitMs: waitedMs(), attempts });
      return this.#lease(taken);
    } catch (error) {
      this.#observe({ type: 'failed', key, waitMs: waitedMs(), error });
      throw error;
    }
  }

  #lease(taken: Taken): LockLease {
    const lease: LockLease = new LockLease(taken, this.#observe, () => {
      this.#leases.delete(lease);
      this.#tellIfIdle();
    });
    this.#leases.add(lease);
    return lease;
  }

  #throwIfOver(key: string, signal: AbortSignal | null): void {
    if (this.#closed) throw new LocksClosedError(key);
    signal?.throwIfAborted();
  }

  /** Rejects as soon as the signal aborts or these locks are closed; what is taken after that is given back. */
  #unlessOver(key: string, asking: Promise<Taken | null>, signal: AbortSignal | null): Promise<Taken | null> {
    return new Promise((resolve, reject) => {
      let over = false;
      const stop = (reason: unknown): void => {
        over = true;
        end();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason may be the caller's own
        reject(reason);
      };
      const close = (): void => {
        stop(new LocksClosedError(key));
      };
      const abort = (): void => {
        stop(signal?.reason);
      };
      const end = (): void => {
        this.#asking.delete(close);
        signal?.removeEventListener('abort', abort);
      };
      this.#asking.add(close);
      signal?.addEventListener('abort', abort);
      asking.then(
        (taken) => {
          end();
          if (over && taken) giveBack(taken.held);
          resolve(taken);
        },
        (error: unknown) => {
          end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passed on as it is
          reject(error);
        },
      );
    });
  }

  #tellIfIdle(): void {
    if (this.#closed && this.#leases.size === 0 && this.#works.size === 0) this.#idle.abort();
  }
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
  // A TTL may also be given per call alone.
  checkOptions({ ttlMs: 1_000 }, defaults, false);
  return new Locks(redis, defaults);
}
