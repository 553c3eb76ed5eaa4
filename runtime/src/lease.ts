/** A lease: one acquisition of one key, and the truth about it. */
import { checkTtl, wrongType } from './arguments.js';
import { Alarm, passedMs, type Instant } from './clock.js';
import { giveBack, lossOf, sendRelease, sendRenew, type Held, type ReleaseOutcome } from './commands.js';
import { Deadline } from './deadline.js';
import { LeaseLostError, LockUnavailableError, type LossCause } from './errors.js';
import type { Lost, Observe } from './events.js';
import { tellTheTruth } from './truthful-signal.js';

/** Renewals a TTL: at a third, and where the answer is missing at each further sixth. */
const RENEW_EVERY = 1 / 3;
const RETRY_EVERY = 1 / 6;
/** A timer that is later than this was held up by the process itself. */
const STALL_MS = 50;
/** A lease that has little left still gives its release time for a round trip. */
const SHORTEST_RELEASE_MS = 100;

type State =
  | { kind: 'held' }
  | { kind: 'ended' }
  /** `sure`: Redis said so. Else the deadline did, and Redis may know more. */
  | { kind: 'lost'; error: LeaseLostError; sure: boolean };

/** What an acquire knows of the lease that it has taken. */
export interface Taken {
  held: Held;
  ttlMs: number;
  /** Before the acquire was sent. */
  start: Instant;
  fence: number;
  renew: boolean;
  maxHoldMs: number;
}

/**
 * Made by `acquire`, `tryAcquire` and `withLock`. `JSON.stringify` and `inspect` show `key` and `ttlMs`, never the token.
 */
export class LockLease {
  /** The key, as it was given. */
  readonly key: string;
  /** The TTL, in milliseconds. */
  readonly ttlMs: number;
  readonly #taken: Taken;
  readonly #held: Held;
  readonly #observe: Observe;
  /** Made when somebody asks for the signal: most leases are never asked. */
  #controller: AbortController | null = null;
  #abortedBy: Error | null = null;
  #state: State = { kind: 'held' };
  #deadline: Deadline;
  #deadlineAlarm: Alarm;
  #renewal: Alarm | null = null;
  /** A renewal was sent and not confirmed since. */
  #unconfirmed = false;
  #leftToTtl = false;
  #ended: (() => void) | null;

  /** @internal Use `acquire`. */
  constructor(taken: Taken, observe: Observe, ended: () => void) {
    this.key = taken.held.key;
    this.ttlMs = taken.ttlMs;
    this.#taken = taken;
    this.#held = taken.held;
    this.#observe = observe;
    this.#ended = ended;
    this.#deadline = new Deadline(this.#clock, taken.start, taken.ttlMs);
    this.#deadlineAlarm = this.#watchDeadline();
    if (taken.renew) this.#renewAfter(this.ttlMs * RENEW_EVERY);
  }

  /** The token that Redis holds for this acquisition. Log `hashToken(lease.token)`, never the token. */
  get token(): string {
    return this.#held.token;
  }

  /**
   * The number of this acquisition: larger than that of every earlier one of the same key. Let the database refuse writes
   * with a smaller one. It is a safe integer.
   *
   * @throws TypeError when the lock was taken without `fence: true`
   */
  get fence(): number {
    if (this.#held.companion !== null) return this.#taken.fence;
    return wrongType(
      `"${this.key}" was taken without a fence: pass { fence: true } to createLocks or to the acquire`,
    );
  }

  /** Is the lease held, by the clock of this process? False once it was released. */
  get held(): boolean {
    this.#look();
    return this.#state.kind === 'held';
  }

  /**
   * Aborts with a `LeaseLostError` when the lease is lost, and with a `LocksClosedError` when its locks are closed. Reading
   * `aborted` looks at the clock, so it is right even in the first statement after a pause.
   */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#look();
    if (this.#abortedBy) controller.abort(this.#abortedBy);
    tellTheTruth(controller.signal, () => {
      this.#look();
    });
    this.#controller = controller;
    return controller.signal;
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
   * @throws LockUnavailableError when Redis did not answer: the lease is held until its deadline
   */
  async renew(ttlMs: number = this.ttlMs): Promise<boolean> {
    checkTtl(ttlMs);
    return this.#renewNow(ttlMs, 0);
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
    if (this.#leftToTtl) return { released: false, reason: 'unconfirmed' };
    if (before.kind === 'ended') return { released: false, reason: 'absent' };
    if (before.kind === 'lost' && before.sure) {
      return { released: false, reason: before.error.reason === 'taken' ? 'taken' : 'absent' };
    }
    // Renewals stop first: one that comes late must not take the released lock for a lost one.
    const left = this.#leftMs();
    const holdMs = this.#holdMs();
    this.#end(before.kind === 'lost' ? { ...before, sure: true } : { kind: 'ended' });
    const sent = this.#clock.now();
    const outcome = await sendRelease(this.#held, Math.max(left, SHORTEST_RELEASE_MS));
    const roundTripMs = passedMs(sent, this.#clock.now());
    const { key, ttlMs } = this;
    const late = before.kind === 'lost';
    const answer = outcome.released ? 'released' : outcome.reason;
    this.#observe({ type: 'released', key, ttlMs, outcome: answer, holdMs, roundTripMs, late });
    const reason = late ? null : lossOf(outcome);
    if (reason) {
      this.#observe({ type: 'lost', key, reason, at: 'release', holdMs, stalledMs: 0 });
    }
    return outcome;
  }

  /**
   * Leaves the key to its TTL: nothing is renewed or released any more, and nobody else gets the lock before the TTL is over.
   * For work whose end nobody knows, and for work that must not run again so soon. The lease counts as held until then.
   */
  letExpire(): void {
    if (this.#state.kind !== 'held') return;
    this.#leftToTtl = true;
    this.#stopRenewing();
    this.#tellEnd();
  }

  /** @internal Aborts the work of a lease that is still held. */
  abort(reason: Error): void {
    this.#abortedBy ??= reason;
    this.#controller?.abort(this.#abortedBy);
  }

  /** Releases at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  get #clock() {
    return this.#held.redis.clock;
  }

  #holdMs(): number {
    return passedMs(this.#taken.start, this.#clock.now());
  }

  #leftMs(): number {
    return Math.min(this.#deadline.leftMs(), this.#taken.maxHoldMs - this.#holdMs());
  }

  #look(): void {
    if (this.#state.kind === 'held' && this.#leftMs() <= 0) this.#passDeadline();
  }

  #watchDeadline(): Alarm {
    return new Alarm(this.#clock, this.#leftMs(), () => {
      this.#look();
    });
  }

  #passDeadline(): void {
    const { maxHoldMs } = this.#taken;
    const heldOut = this.#holdMs() >= maxHoldMs && this.#deadline.leftMs() > 0;
    const stalledMs = Math.max(this.#deadlineAlarm.lateMs(), this.#renewal?.lateMs() ?? 0);
    if (heldOut) {
      this.#lose('expired', 'deadline', 0, `it was held for maxHoldMs, ${String(maxHoldMs)} ms`);
    } else if (stalledMs > STALL_MS) {
      this.#lose('stalled', 'deadline', stalledMs);
    } else {
      this.#lose(this.#unconfirmed ? 'unreachable' : 'expired', 'deadline', 0);
    }
    // A renewal whose answer was lost may have kept the key alive: no orphan is left behind.
    if (this.#unconfirmed && !heldOut) giveBack(this.#held);
  }

  #lose(reason: LossCause, at: Lost['at'], stalledMs: number, detail = ''): void {
    const error = new LeaseLostError(this.key, reason, { detail, stalledMs });
    const holdMs = this.#holdMs();
    this.#end({ kind: 'lost', error, sure: at === 'renewal' });
    if (!this.#leftToTtl) this.#observe({ type: 'lost', key: this.key, reason, at, holdMs, stalledMs });
    this.abort(error);
  }

  #end(state: State): void {
    this.#state = state;
    this.#deadlineAlarm.stop();
    this.#stopRenewing();
    this.#tellEnd();
  }

  #stopRenewing(): void {
    this.#renewal?.stop();
    this.#renewal = null;
  }

  #tellEnd(): void {
    this.#ended?.();
    this.#ended = null;
  }

  #renewAfter(ms: number): void {
    this.#renewal?.stop();
    const alarm = new Alarm(this.#clock, ms, () => {
      const lateMs = alarm.lateMs();
      // An answer that does not come must not hold up the next try.
      this.#renewAfter(this.ttlMs * RETRY_EVERY);
      this.#renewNow(this.ttlMs, lateMs).then(
        () => {
          if (this.#renewal !== null) this.#renewAfter(this.ttlMs * RENEW_EVERY);
        },
        () => undefined,
      );
    });
    this.#renewal = alarm;
  }

  /** @param lateMs how late the renewal is: a lease that expired meanwhile was lost by that */
  async #renewNow(ttlMs: number, lateMs: number): Promise<boolean> {
    if (!this.held) return false;
    const { key } = this;
    const start = this.#clock.now();
    this.#unconfirmed = true;
    const answer = await sendRenew(this.#held, ttlMs, this.#leftMs()).catch((error: unknown) => {
      this.#observe({ type: 'renewal-failed', key, error });
      throw new LockUnavailableError(key, 'renew', error);
    });
    if (this.#state.kind !== 'held') return false;
    if (answer !== true) {
      const stalled = answer === 'expired' && lateMs > STALL_MS;
      this.#lose(stalled ? 'stalled' : answer, 'renewal', stalled ? lateMs : 0);
      return false;
    }
    this.#unconfirmed = false;
    const deadline = new Deadline(this.#clock, start, ttlMs);
    if (deadline.isLaterThan(this.#deadline)) {
      this.#deadline = deadline;
      this.#deadlineAlarm.stop();
      this.#deadlineAlarm = this.#watchDeadline();
    }
    const roundTripMs = passedMs(start, this.#clock.now());
    this.#observe({ type: 'renewed', key, ttlMs, roundTripMs });
    return true;
  }
}
