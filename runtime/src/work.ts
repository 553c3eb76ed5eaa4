/** Work under a lock: what becomes of its result, its error and its lease. */
import { passedMs, type Clock } from './clock.js';
import { lossOf } from './commands.js';
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
  const result = await measured(lease, work, clock, observe).catch(async (error: unknown) => {
    await lease.release();
    throw error;
  });
  try {
    lease.throwIfLost();
  } catch (error) {
    // Lost by the deadline, Redis may still hold the key: it is given back, and nobody waits for that.
    void lease.release();
    throw (error as LeaseLostError).withResult(result);
  }
  const reason = lossOf(await lease.release());
  if (reason === null) return result;
  throw new LeaseLostError(lease.key, reason).withResult(result);
}

async function measured<T>(lease: LockLease, work: Work<T>, clock: Clock, observe: Observe): Promise<T> {
  const start = clock.now();
  try {
    return await work(lease);
  } finally {
    observe({ type: 'worked', key: lease.key, workMs: passedMs(start, clock.now()) });
  }
}
