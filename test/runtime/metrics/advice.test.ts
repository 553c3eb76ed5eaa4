/** The TTL that follows from numbers. */
import type { Distribution, LockStats } from 'lockproof';
import { describe, expect, test } from 'vitest';
import { advise } from '../../../runtime/src/advice.js';

const distribution = (count: number, p99: number, max = p99): Distribution => ({
  count,
  p50: p99 / 4,
  p90: p99 / 2,
  p95: p99 / 1.5,
  p99,
  max,
});

const stats = (changes: Partial<LockStats> = {}): LockStats => ({
  acquired: 500,
  busy: 0,
  failures: 0,
  renewals: 0,
  renewalFailures: 0,
  releases: 500,
  lateReleases: 0,
  unconfirmedReleases: 0,
  losses: { expired: 0, taken: 0, stalled: 0, unreachable: 0 },
  lossesAtStart: 0,
  contention: 0,
  holdsOverTtl: 0,
  waitMs: distribution(500, 2),
  holdMs: distribution(500, 300),
  workMs: distribution(500, 298),
  roundTripMs: distribution(500, 8),
  pauseMs: distribution(90, 40),
  ttlUsedPercent: distribution(500, 30),
  processMs: 3_600_000,
  ...changes,
});

const codes = (changes: Partial<LockStats>): string[] =>
  advise(stats(changes)).warnings.map(({ code }) => code);

describe('the TTL', () => {
  test('is the P99 of the holds, a round trip and the margins, rounded up', () => {
    expect(advise(stats())).toEqual({
      ttlMs: 400,
      holds: 500,
      basis: { holdP95Ms: 200, holdP99Ms: 300, roundTripMs: 8, commitMarginMs: 8, pauseMarginMs: 40 },
      warnings: [],
    });
  });

  test.each([
    [1, 100],
    [801, 900],
    [1_001, 1_500],
    [9_600, 10_000],
    [10_001, 11_000],
  ])('of a P99 of %d ms alone is %d ms', (p99, ttlMs) => {
    const alone = { holdMs: distribution(500, p99), roundTripMs: null, pauseMs: null };
    expect(advise(stats(alone)).ttlMs).toBe(ttlMs);
  });

  test('leaves time for a commit of which it is told', () => {
    expect(advise(stats(), { commitMs: 500 })).toMatchObject({ ttlMs: 900, basis: { commitMarginMs: 500 } });
  });

  test('is not guessed from fewer than 20 holds', () => {
    expect(advise(stats({ holdMs: distribution(19, 300) }))).toMatchObject({
      ttlMs: null,
      holds: 19,
      basis: null,
      warnings: [{ code: 'too-few-holds', holds: 19, neededHolds: 20 }],
    });
    expect(advise(stats({ holdMs: distribution(20, 300) })).ttlMs).toBe(400);
    expect(advise(stats({ holdMs: null, ttlUsedPercent: null })).ttlMs).toBeNull();
  });

  test.each([-1, NaN, Infinity, '5', null])('refuses %j as commitMs', (commitMs) => {
    expect(() => advise(stats(), { commitMs: commitMs as number })).toThrow(
      /commitMs must be a number of milliseconds/,
    );
  });
});

describe('warnings', () => {
  test('of a P99 over half of the TTL', () => {
    expect(codes({ ttlUsedPercent: distribution(500, 50) })).toEqual([]);
    expect(codes({ ttlUsedPercent: distribution(500, 51) })).toEqual(['hold-near-ttl']);
  });

  test('of one hold over its TTL, with the longest', () => {
    const { warnings } = advise(stats({ holdsOverTtl: 1, holdMs: distribution(500, 300, 2_000) }));
    expect(warnings).toMatchObject([{ code: 'hold-over-ttl', holds: 1, longestHoldMs: 2_000, renewals: 0 }]);
  });

  test('of losses at stalls, when they are half of all, and more than one', () => {
    const losses = { expired: 2, taken: 0, stalled: 2, unreachable: 0 };
    expect(codes({ losses })).toEqual(['losses-at-stalls']);
    expect(codes({ losses: { ...losses, expired: 3 } })).toEqual([]);
    expect(codes({ losses: { ...losses, expired: 0, stalled: 1 } })).toEqual([]);
  });

  test('of losses right after the start, in a process that has run for longer', () => {
    const early = { losses: { expired: 3, taken: 0, stalled: 0, unreachable: 0 }, lossesAtStart: 3 };
    expect(codes(early)).toEqual(['losses-at-start']);
    expect(codes({ ...early, processMs: 15_000 })).toEqual([]);
    expect(codes({ ...early, lossesAtStart: 1 })).toEqual([]);
  });
});
