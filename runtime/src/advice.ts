/** The TTL that follows from what was measured, instead of a guess. */
import { SHORTEST_TTL_MS, show, wrongType } from './arguments.js';
import { START_MS, type LockStats } from './metrics.js';

export interface AdviceOptions {
  /**
   * How long a write may take from the last look at the lease to its commit, in milliseconds. By default the P99 of a round
   * trip to Redis stands for it.
   */
  commitMs?: number;
}

/** What the advice is made of, in milliseconds. */
export interface AdviceBasis {
  holdP95Ms: number;
  holdP99Ms: number;
  /** The P99 of a round trip. */
  roundTripMs: number;
  /** As given, or the P99 of a round trip once more. */
  commitMarginMs: number;
  /** The P99 of the pauses of this process. */
  pauseMarginMs: number;
}

/** What to look at, as data, and as a sentence. */
export type AdviceWarning = { message: string } & (
  | { code: 'too-few-holds'; holds: number; neededHolds: number }
  /** The P99 of the holds took more than half of their TTL. */
  | { code: 'hold-near-ttl'; p99Percent: number }
  /** At least one hold was longer than its TTL. */
  | { code: 'hold-over-ttl'; holds: number; longestHoldMs: number; renewals: number }
  /** At least half of the losses came when the process stood still. */
  | { code: 'losses-at-stalls'; losses: number; allLosses: number }
  /** At least half of the losses came right after the start of the process. */
  | { code: 'losses-at-start'; losses: number; allLosses: number; withinMs: number }
);

/** What `adviseTtl` answers. */
export interface TtlAdvice {
  /** The TTL to set, in milliseconds; null when too little is known. */
  ttlMs: number | null;
  /** How many holds were measured. */
  holds: number;
  /** Null when too little is known. */
  basis: AdviceBasis | null;
  warnings: AdviceWarning[];
}

const NEEDED_HOLDS = 20;
/** One loss is no cluster. */
const LEAST_LOSSES = 2;

/** @throws TypeError when `commitMs` is no number of milliseconds */
export function advise(stats: LockStats, { commitMs }: AdviceOptions = {}): TtlAdvice {
  if (commitMs !== undefined && !(Number.isFinite(commitMs) && commitMs >= 0)) {
    wrongType(`commitMs must be a number of milliseconds from 0 on, got ${show(commitMs)}`);
  }
  const holds = stats.holdMs?.count ?? 0;
  const warnings = [...warningsOfHolds(stats), ...warningsOfLosses(stats)];
  if (stats.holdMs === null || holds < NEEDED_HOLDS) {
    const message = `${holds} holds were measured, an advice takes ${NEEDED_HOLDS}: ask again later`;
    const tooFew = { code: 'too-few-holds' as const, holds, neededHolds: NEEDED_HOLDS, message };
    return { ttlMs: null, holds, basis: null, warnings: [tooFew, ...warnings] };
  }
  const roundTripMs = stats.roundTripMs?.p99 ?? 0;
  const basis: AdviceBasis = {
    holdP95Ms: stats.holdMs.p95,
    holdP99Ms: stats.holdMs.p99,
    roundTripMs,
    commitMarginMs: commitMs ?? roundTripMs,
    pauseMarginMs: stats.pauseMs?.p99 ?? 0,
  };
  const { holdP99Ms, commitMarginMs, pauseMarginMs } = basis;
  const ttlMs = roundUp(holdP99Ms + roundTripMs + commitMarginMs + pauseMarginMs);
  return { ttlMs, holds, basis, warnings };
}

/** To a figure that people would write: hundreds of milliseconds, then half seconds, then seconds. */
function roundUp(ms: number): number {
  const step = ms <= 1_000 ? 100 : ms <= 10_000 ? 500 : 1_000;
  return Math.max(SHORTEST_TTL_MS, Math.ceil(ms / step) * step);
}

function warningsOfHolds({ ttlUsedPercent, holdsOverTtl, holdMs, renewals }: LockStats): AdviceWarning[] {
  const warnings: AdviceWarning[] = [];
  const p99Percent = ttlUsedPercent?.p99 ?? 0;
  if (p99Percent > 50) {
    const message = `1 hold in 100 takes ${Math.round(p99Percent)} % of its TTL or more: over half is too near`;
    warnings.push({ code: 'hold-near-ttl', p99Percent, message });
  }
  if (holdsOverTtl > 0) {
    const longestHoldMs = holdMs?.max ?? 0;
    const renewed = renewals > 0 ? 'only renewals keep such a lease' : 'nothing was renewed';
    const message = `${holdsOverTtl} holds were longer than their TTL, the longest hold took ${Math.round(longestHoldMs)} ms: ${renewed}`;
    warnings.push({ code: 'hold-over-ttl', holds: holdsOverTtl, longestHoldMs, renewals, message });
  }
  return warnings;
}

function warningsOfLosses({ losses, lossesAtStart, processMs }: LockStats): AdviceWarning[] {
  const allLosses = Object.values(losses).reduce((sum, count) => sum + count, 0);
  const isCluster = (count: number): boolean => count >= LEAST_LOSSES && count * 2 >= allLosses;
  const warnings: AdviceWarning[] = [];
  if (isCluster(losses.stalled)) {
    const message = `${losses.stalled} of ${allLosses} losses came when the process stood still: a longer TTL hides it, shorter tasks end it`;
    warnings.push({ code: 'losses-at-stalls', losses: losses.stalled, allLosses, message });
  }
  // In a process that has just started every loss is an early one, which says nothing.
  if (isCluster(lossesAtStart) && processMs >= 2 * START_MS) {
    const message = `${lossesAtStart} of ${allLosses} losses came in the first ${START_MS / 1_000} s of the process: take locks once it is warm`;
    warnings.push({
      code: 'losses-at-start',
      losses: lossesAtStart,
      allLosses,
      withinMs: START_MS,
      message,
    });
  }
  return warnings;
}
