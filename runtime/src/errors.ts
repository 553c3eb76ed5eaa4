/** The errors of the runtime. Each has a `code` that stays the same over versions; none shows a token. */

/** A code of {@link LockError}. */
export type LockErrorCode =
  'LOCKPROOF_BUSY' | 'LOCKPROOF_LOST' | 'LOCKPROOF_UNAVAILABLE' | 'LOCKPROOF_UNKNOWN' | 'LOCKPROOF_CLOSED';

/** Why a lease was lost. */
export type LossCause =
  /** Redis let the key expire: it was gone at the renewal or the release. */
  | 'expired'
  /** Somebody else holds the key. */
  | 'taken'
  /** The process stood still past the deadline: a blocked event loop, a pause, a machine that slept. */
  | 'stalled'
  /** Redis did not confirm a renewal before the deadline. */
  | 'unreachable';

/** What all errors of the runtime have in common. */
export abstract class LockError extends Error {
  abstract readonly code: LockErrorCode;
  /** The key of the lock. */
  readonly key: string;

  constructor(message: string, key: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.key = key;
  }
}

/** Somebody else holds the lock, and the time to wait is over. */
export class LockBusyError extends LockError {
  override readonly code = 'LOCKPROOF_BUSY';

  constructor(key: string, waitMs: number) {
    const waited = waitMs > 0 ? ` for the ${String(waitMs)} ms that were to be waited` : '';
    super(`the lock "${key}" is held by somebody else${waited}`, key);
  }
}

/** The lease was lost before the work ended: another holder may have worked at the same time. */
export class LeaseLostError extends LockError {
  override readonly code = 'LOCKPROOF_LOST';
  readonly reason: LossCause;
  /** How long the process had stood still when it found the loss, in milliseconds. */
  readonly stalledMs: number;
  /** What the work resolved with, when it resolved without a lease at its end. */
  readonly result?: unknown;

  constructor(key: string, reason: LossCause, { detail = '', stalledMs = 0 } = {}) {
    const stood = `the process stood still for ${String(Math.round(stalledMs))} ms`;
    const why = reason === 'stalled' ? stood : detail;
    super(`the lease of "${key}" was lost (${reason})${why && `: ${why}`}`, key);
    this.reason = reason;
    this.stalledMs = stalledMs;
  }

  /** The same loss, with what the work resolved with. */
  withResult(result: unknown): LeaseLostError {
    const error = new LeaseLostError(this.key, this.reason, { stalledMs: this.stalledMs });
    error.message = this.message;
    return Object.assign(error, { result, cause: this });
  }
}

/** Redis refused the command or could not be reached, and the lock was surely not taken. */
export class LockUnavailableError extends LockError {
  override readonly code = 'LOCKPROOF_UNAVAILABLE';

  constructor(key: string, action: string, cause: unknown) {
    super(`could not ${action} "${key}": ${messageOf(cause)}`, key, { cause });
  }
}

/** The answer did not arrive: the lock may have been taken. The runtime gives it back as soon as it can. */
export class LockUnknownError extends LockError {
  override readonly code = 'LOCKPROOF_UNKNOWN';

  constructor(key: string, action: string, cause: unknown) {
    super(`nobody knows whether it was possible to ${action} "${key}": ${messageOf(cause)}`, key, { cause });
  }
}

/** `close()` was called: these locks take nothing any more. */
export class LocksClosedError extends LockError {
  override readonly code = 'LOCKPROOF_CLOSED';

  constructor(key: string) {
    super(`these locks are closed, "${key}" is not taken any more`, key);
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
