/** What was measured, in bounded memory: however many locks are taken, the numbers take the same room. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { LossCause } from './errors.js';
import type { LockEvent, Lost, Released } from './events.js';

/** What a histogram knows, in the unit of its name. Values are exact to a thousandth. */
export interface Distribution {
  count: number;
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  max: number;
}

/** What `stats` answers: plain data. A distribution is null when nothing was measured. */
export interface LockStats {
  /** Locks that were taken. */
  acquired: number;
  /** Acquisitions that ended because somebody else held the lock. */
  busy: number;
  /** Acquisitions that ended with an error. */
  failures: number;
  /** Renewals that Redis confirmed. */
  renewals: number;
  renewalFailures: number;
  /** Releases that were sent, with whatever answer. */
  releases: number;
  /** Those that came after the lease was lost. */
  lateReleases: number;
  /** Those whose answer did not come. */
  unconfirmedReleases: number;
  /** Lost leases, by cause. */
  losses: Record<LossCause, number>;
  /** Those in the first ten seconds of the process. */
  lossesAtStart: number;
  /** The share of acquisitions, from 0 to 1, that had to ask more than once or were refused. */
  contention: number | null;
  /** Holds that were longer than their TTL. */
  holdsOverTtl: number;
  /** From the call to the lease, in milliseconds. */
  waitMs: Distribution | null;
  /** From taking the lock to its release, or to the renewal that found it lost, in milliseconds. */
  holdMs: Distribution | null;
  /** The work of `withLock`, in milliseconds. */
  workMs: Distribution | null;
  /** From sending a renewal or a release to its answer, in milliseconds. */
  roundTripMs: Distribution | null;
  /** How late timers came while locks were in use, in milliseconds: the process stood still for as long. */
  pauseMs: Distribution | null;
  /** A hold's share of its TTL, in percent. */
  ttlUsedPercent: Distribution | null;
  /** The age of the process, in milliseconds. */
  processMs: number;
}

/** A loss this soon counts as one of the start of the process. */
export const START_MS = 10_000;
/** How long a probe of the event loop takes; the next one starts with the next event. */
const PROBE_MS = 20;

/** Counts and measures events. */
export class Metrics {
  readonly #losses: Record<LossCause, number> = { expired: 0, taken: 0, stalled: 0, unreachable: 0 };
  readonly #wait = new Measure();
  readonly #hold = new Measure();
  readonly #work = new Measure();
  readonly #roundTrip = new Measure();
  readonly #pause = new Measure();
  readonly #ttlUsed = new Measure();
  #acquired = 0;
  #contended = 0;
  #busy = 0;
  #failures = 0;
  #renewals = 0;
  #renewalFailures = 0;
  #releases = 0;
  #lateReleases = 0;
  #unconfirmedReleases = 0;
  #lossesAtStart = 0;
  #holdsOverTtl = 0;
  #probing = false;

  record(event: LockEvent): void {
    this.#probe();
    switch (event.type) {
      case 'acquired':
        this.#acquired += 1;
        if (event.attempts > 1) this.#contended += 1;
        this.#wait.record(event.waitMs);
        break;
      case 'busy':
        this.#busy += 1;
        break;
      case 'failed':
        this.#failures += 1;
        break;
      case 'renewed':
        this.#renewals += 1;
        this.#roundTrip.record(event.roundTripMs);
        break;
      case 'renewal-failed':
        this.#renewalFailures += 1;
        break;
      case 'released':
        this.#recordRelease(event);
        break;
      case 'lost':
        this.#recordLoss(event);
        break;
      case 'worked':
        this.#work.record(event.workMs);
        break;
    }
  }

  stats(): LockStats {
    const asked = this.#acquired + this.#busy;
    return {
      acquired: this.#acquired,
      busy: this.#busy,
      failures: this.#failures,
      renewals: this.#renewals,
      renewalFailures: this.#renewalFailures,
      releases: this.#releases,
      lateReleases: this.#lateReleases,
      unconfirmedReleases: this.#unconfirmedReleases,
      losses: { ...this.#losses },
      lossesAtStart: this.#lossesAtStart,
      contention: asked === 0 ? null : (this.#contended + this.#busy) / asked,
      holdsOverTtl: this.#holdsOverTtl,
      waitMs: this.#wait.distribution(),
      holdMs: this.#hold.distribution(),
      workMs: this.#work.distribution(),
      roundTripMs: this.#roundTrip.distribution(),
      pauseMs: this.#pause.distribution(),
      ttlUsedPercent: this.#ttlUsed.distribution(),
      processMs: processMs(),
    };
  }

  #recordRelease({ ttlMs, outcome, holdMs, roundTripMs, late }: Released): void {
    this.#releases += 1;
    if (late || outcome === 'absent' || outcome === 'taken') this.#lateReleases += 1;
    this.#hold.record(holdMs);
    this.#ttlUsed.record((holdMs / ttlMs) * 100);
    if (holdMs > ttlMs) this.#holdsOverTtl += 1;
    // Without an answer there was no round trip: that time is our own patience.
    if (outcome === 'unconfirmed') this.#unconfirmedReleases += 1;
    else this.#roundTrip.record(roundTripMs);
  }

  #recordLoss({ reason, at, holdMs, stalledMs }: Lost): void {
    this.#losses[reason] += 1;
    if (processMs() < START_MS) this.#lossesAtStart += 1;
    if (stalledMs > 0) this.#pause.record(stalledMs);
    // After the other losses a release follows, which knows the whole hold.
    if (at === 'renewal' && holdMs !== null) this.#hold.record(holdMs);
  }

  /** Measures how late a timer comes: one at a time, and only while locks are in use. */
  #probe(): void {
    if (this.#probing) return;
    this.#probing = true;
    const start = performance.now();
    const timer = setTimeout(() => {
      this.#probing = false;
      this.#pause.record(Math.max(0, performance.now() - start - PROBE_MS));
    }, PROBE_MS);
    timer.unref();
  }
}

const processMs = (): number => Math.round(process.uptime() * 1_000);

/** Histograms hold integers: thousandths of what is recorded. */
const PARTS = 1_000;
const LARGEST = 24 * 60 * 60 * 1_000 * PARTS;

/** A histogram that takes no room before its first value. */
class Measure {
  #histogram: RecordableHistogram | null = null;

  record(value: number): void {
    this.#histogram ??= createHistogram({ lowest: 1, highest: LARGEST, figures: 3 });
    this.#histogram.record(Math.min(Math.max(1, Math.round(value * PARTS)), LARGEST));
  }

  distribution(): Distribution | null {
    const histogram = this.#histogram;
    if (histogram === null) return null;
    const at = (percent: number): number => histogram.percentile(percent) / PARTS;
    return {
      count: histogram.count,
      p50: at(50),
      p90: at(90),
      p95: at(95),
      p99: at(99),
      max: histogram.max / PARTS,
    };
  }
}
