/** Work under a lock: what becomes of its result, its error and its lease. */
import { passedMs, type Clock } from './clock.js';
import { LeaseLostError } from './errors.js';
import type { Observe } from './events.js';
import type { LockLease } from './lease.js';

/** Work under a lock. */
export type Work<T> = (lease: LockLease) => T | PromiseLike<T>;

/** The work's own error wins; work that ended without the lease rejects with what it resolved with. */
export async function runUnder<T>(
  lease: LockLease,
  work: Work<T>,
  clock: Clock,
  observe: Observe,
): Promise<T> {
  const result = await measured(lease, work, clock, observe);
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

async function measured<T>(lease: LockLease, work: Work<T>, clock: Clock, observe: Observe): Promise<T> {
  const start = clock.now();
  const tell = (): void => {
    observe({ type: 'worked', key: lease.key, workMs: passedMs(start, clock.now()) });
  };
  try {
    const result = await work(lease);
    tell();
    return result;
  } catch (error) {
    tell();
    await lease.release();
    throw error;
  }
}
