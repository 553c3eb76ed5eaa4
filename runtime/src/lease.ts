/** A lease: one acquisition of one key, and the truth about it. */
import { checkTtl } from './arguments.js';
import { giveBack, sendRelease, sendRenew, type Held, type ReleaseOutcome } from './commands.js';
import { Deadline, now, startTimer } from './deadline.js';
import { LeaseLostError, type LossCause } from './errors.js';
import { publishLoss, type Loss } from './losses.js';

/** Renewals a TTL: at a third, and after an error at each further sixth. */
const RENEW_EVERY = 1 / 3;
const RETRY_EVERY = 1 / 6;
/** A deadline timer that is later than this was held up by the process itself. */
const STALL_MS = 50;
/** A lease that has little left still gives its release time for a round trip. */
const SHORTEST_RELEASE_MS = 100;

type State =
  | { kind: 'held' }
  | { kind: 'ended' }
  /** `sure`: Redis said so. Else the deadline did, and Redis may know more. */
  | { kind: 'lost'; error: LeaseLostError; sure: boolean };

/**
 * Made by `acquire`, `tryAcquire` and `withLock`. `JSON.stringify` and `inspect` show `key` and `ttlMs`, never the token.
 */
export class LockLease {
  /** The key, as it was given. */
  readonly key: string;
  /** The TTL, in milliseconds. */
  readonly ttlMs: number;
  readonly #held: Held;
  readonly #controller = new AbortController();
  #state: State = { kind: 'held' };
  #deadline: Deadline;
  #deadlineTimer: { stop(): void };
  #renewal: { stop(): void } | null = null;
  #lastRenewalFailed = false;
  #ended: (() => void) | null = null;

  /** @internal Use `acquire`. */
  constructor(held: Held, ttlMs: number, deadline: Deadline, renew: boolean, ended: () => void) {
    this.key = held.key;
    this.ttlMs = ttlMs;
    this.#held = held;
    this.#deadline = deadline;
    this.#ended = ended;
    this.#deadlineTimer = this.#watchDeadline();
    tellTheTruth(this.#controller.signal, () => {
      this.#look();
    });
    if (renew) this.#renewAfter(ttlMs * RENEW_EVERY);
  }

  /** The token that Redis holds for this acquisition. Log `hashToken(lease.token)`, never the token. */
  get token(): string {
    return this.#held.token;
  }

  /** Is the lease held, by the clock of this process? False once it was released. */
  get held(): boolean {
    this.#look();
    return this.#state.kind === 'held';
  }

  /**
   * Aborts with a `LeaseLostError` when the lease is lost. Reading `aborted` looks at the clock, so it is right even
   * in the first statement after a pause.
   */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws LeaseLostError when the lease is lost: call it before a write that must not come late. */
  throwIfLost(): void {
    this.#look();
    if (this.#state.kind === 'lost') throw this.#state.error;
  }

  /**
   * Extends the lease, counted from now.
   *
   * @param ttlMs the new TTL in milliseconds; by default the lease's own
   * @returns true when Redis confirmed it, false when the lease is surely lost
   * @throws LockError's cause, when Redis did not answer: the lease may still be held until its deadline
   */
  async renew(ttlMs: number = this.ttlMs): Promise<boolean> {
    checkTtl(ttlMs);
    if (!this.held) return false;
    const start = now();
    const answer = await sendRenew(this.#held, ttlMs, this.#deadline.leftMs(start));
    if (this.#state.kind !== 'held') return false;
    if (answer !== true) {
      this.#lose(answer, 'renewal');
      return false;
    }
    const deadline = new Deadline(start, ttlMs);
    if (deadline.isLaterThan(this.#deadline)) {
      this.#deadline = deadline;
      this.#deadlineTimer.stop();
      this.#deadlineTimer = this.#watchDeadline();
    }
    return true;
  }

  /**
   * Gives the lock back: compared and deleted inside Redis. Never rejects. Sends nothing twice, and nothing when Redis has
   * said already that the lease is lost.
   *
   * @returns what Redis answered; `absent` or `taken` are a lost lease, which is published as well
   */
  async release(): Promise<ReleaseOutcome> {
    this.#look();
    const before = this.#state;
    if (before.kind === 'ended') return { released: false, reason: 'absent' };
    if (before.kind === 'lost' && before.sure) {
      return { released: false, reason: before.error.reason === 'taken' ? 'taken' : 'absent' };
    }
    // Renewals stop first: one that comes late must not take the released lock for a lost one.
    const left = this.#deadline.leftMs();
    this.#end(before.kind === 'lost' ? { ...before, sure: true } : { kind: 'ended' });
    const outcome = await sendRelease(this.#held, Math.max(left, SHORTEST_RELEASE_MS));
    if (before.kind === 'held' && !outcome.released && outcome.reason !== 'unconfirmed') {
      publishLoss({ key: this.key, reason: outcome.reason === 'taken' ? 'taken' : 'expired', at: 'release' });
    }
    return outcome;
  }

  /** Releases at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  #look(): void {
    if (this.#state.kind === 'held' && this.#deadline.leftMs() <= 0) this.#passDeadline();
  }

  #watchDeadline(): { stop(): void } {
    return startTimer(this.#deadline.leftMs(), () => {
      this.#look();
    });
  }

  #passDeadline(): void {
    const late = -this.#deadline.leftMs();
    const cause = late > STALL_MS ? 'stalled' : this.#lastRenewalFailed ? 'unreachable' : 'expired';
    const detail =
      cause === 'stalled'
        ? `the process stood still for ${String(Math.round(late))} ms past the deadline`
        : '';
    const unconfirmed = this.#lastRenewalFailed;
    this.#lose(cause, 'deadline', detail);
    // A renewal whose answer was lost may have kept the key alive: no orphan is left behind.
    if (unconfirmed) giveBack(this.#held);
  }

  #lose(reason: LossCause, at: Loss['at'], detail = ''): void {
    const error = new LeaseLostError(this.key, reason, detail);
    this.#end({ kind: 'lost', error, sure: at === 'renewal' });
    publishLoss({ key: this.key, reason, at });
    this.#controller.abort(error);
  }

  #end(state: State): void {
    this.#state = state;
    this.#deadlineTimer.stop();
    this.#renewal?.stop();
    this.#renewal = null;
    this.#ended?.();
    this.#ended = null;
  }

  #renewAfter(ms: number): void {
    this.#renewal = startTimer(ms, () => {
      void this.#renewNow();
    });
  }

  async #renewNow(): Promise<void> {
    try {
      const kept = await this.renew();
      this.#lastRenewalFailed = false;
      if (kept && this.#state.kind === 'held') this.#renewAfter(this.ttlMs * RENEW_EVERY);
    } catch {
      // An error is no answer: the lease is held until its deadline says otherwise.
      this.#lastRenewalFailed = true;
      if (this.#state.kind === 'held') this.#renewAfter(this.ttlMs * RETRY_EVERY);
    }
  }
}

/** Makes reads of a signal look first: `aborted` is then right before any timer has had a turn. */
function tellTheTruth(signal: AbortSignal, look: () => void): void {
  const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted') as { get: () => boolean };
  const throwIfAborted = signal.throwIfAborted.bind(signal);
  Object.defineProperty(signal, 'aborted', {
    configurable: true,
    get: () => {
      look();
      return get.call(signal);
    },
  });
  Object.defineProperty(signal, 'throwIfAborted', {
    configurable: true,
    value: () => {
      look();
      throwIfAborted();
    },
  });
}
