/** Redis locks whose holder can prove ownership. */
export type { AcquireOptions } from './arguments.js';
export type { RedisClient } from './clients/index.js';
export type { ReleaseOutcome } from './commands.js';
export {
  LeaseLostError,
  LockBusyError,
  LockError,
  LocksClosedError,
  LockUnavailableError,
  LockUnknownError,
  type LockErrorCode,
  type LossCause,
} from './errors.js';
export { LockLease } from './lease.js';
export { LOST_CHANNEL, type Loss } from './losses.js';
export {
  acquireLease,
  createLocks,
  Locks,
  releaseLease,
  renewLease,
  tryAcquireLease,
  withLock,
  type Work,
} from './locks.js';
export { hashToken } from './token.js';
