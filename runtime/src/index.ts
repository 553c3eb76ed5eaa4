/** Redis locks whose holder can prove ownership. */
export type { AdviceBasis, AdviceOptions, AdviceWarning, TtlAdvice } from './advice.js';
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
export { channelOf } from './events.js';
export type {
  Acquired,
  Busy,
  Failed,
  LockEvent,
  Lost,
  Released,
  RenewalFailed,
  Renewed,
  Worked,
} from './events.js';
export { acquireLease, releaseLease, renewLease, tryAcquireLease, withLock } from './functional.js';
export { createLocks, Locks } from './locks.js';
export { LOST_CHANNEL } from './losses.js';
export type { Distribution, LockStats } from './metrics.js';
export type { Work } from './work.js';
export { hashToken } from './token.js';
