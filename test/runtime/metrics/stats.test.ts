/** What locks measure of themselves, on a real Redis. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocks, LeaseLostError } from 'lockproof';
import { beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../support/until.js';
import { ownRedis } from '../../support/redis.js';

const { redis } = await ownRedis();

/** Log-normal times with the given median, the same ones in each run. */
function logNormalTimes(count: number, medianMs: number, sigma: number): number[] {
  let state = 20_240_607;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => medianMs * Math.exp(sigma * normal()));
}

describe('200 locks with log-normal work times, a few of them over the TTL', () => {
  const TTL_MS = 100;
  const times = logNormalTimes(200, 20, 0.9);
  let lost = 0;
  let locks: ReturnType<typeof createLocks>;

  beforeAll(async () => {
    locks = createLocks(redis, { ttlMs: TTL_MS, waitMs: 5_000, renew: false });
    const lanes = Array.from({ length: 10 }, async (_, lane) => {
      for (const [index, ms] of times.entries()) {
        if (index % 10 !== lane) continue;
        await locks
          .withLock(`stats:${index}`, () => sleep(ms))
          .catch((error: unknown) => {
            if (!(error instanceof LeaseLostError)) throw error;
            lost += 1;
          });
      }
    });
    await Promise.all(lanes);
    await until('200 releases', () => locks.stats().releases === 200);
  });

  test('every one is counted, and the late ones as such', () => {
    const { acquired, releases, lateReleases, losses, holdsOverTtl } = locks.stats();
    expect({ acquired, releases }).toEqual({ acquired: 200, releases: 200 });
    expect(lost).toBeGreaterThanOrEqual(times.filter((ms) => ms > TTL_MS).length);
    expect(lost).toBeGreaterThan(0);
    expect(lateReleases).toBe(lost);
    expect(Object.values(losses).reduce((sum, count) => sum + count)).toBe(lost);
    expect(holdsOverTtl).toBeGreaterThan(0);
  });

  test('wait, hold and work are kept apart, and each is a distribution', () => {
    const { waitMs, holdMs, workMs, roundTripMs, ttlUsedPercent } = locks.stats();
    for (const each of [waitMs, holdMs, workMs, ttlUsedPercent]) expect(each?.count).toBe(200);
    expect(roundTripMs?.count).toBeGreaterThan(0);
    for (const each of [waitMs, holdMs, workMs, roundTripMs, ttlUsedPercent]) {
      const { p50 = NaN, p90 = NaN, p95 = NaN, p99 = NaN, max = NaN } = each ?? {};
      const ordered = [0, p50, p90, p95, p99, max];
      expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
    }
    const longest = Math.max(...times);
    expect(workMs?.max).toBeGreaterThan(longest * 0.98);
    for (const at of ['p50', 'p90', 'p95', 'p99', 'max'] as const) {
      expect(holdMs?.[at]).toBeGreaterThanOrEqual(workMs?.[at] ?? NaN);
    }
  });

  test('the advice covers the P99 and warns of the TTL', () => {
    const { ttlMs, holds, basis, warnings } = locks.adviseTtl({ commitMs: 30 });
    expect(holds).toBe(200);
    expect(basis?.commitMarginMs).toBe(30);
    expect(ttlMs).toBeGreaterThan((basis?.holdP99Ms ?? NaN) + 30);
    expect(basis?.holdP99Ms).toBeGreaterThan(TTL_MS);
    const codes = warnings.map(({ code }) => code);
    expect(codes).toContain('hold-near-ttl');
    expect(codes).toContain('hold-over-ttl');
  });
});

test('before anything happened there are no numbers, and it is plain data', () => {
  const stats = createLocks(redis).stats();
  expect(JSON.parse(JSON.stringify(stats))).toEqual(stats);
  expect(stats).toMatchObject({ acquired: 0, contention: null, waitMs: null, holdMs: null, pauseMs: null });
});

test('contention counts those that waited and those that were refused', async () => {
  const locks = createLocks(redis, { ttlMs: 5_000 });
  const first = await locks.acquire('contended');
  expect(locks.stats().contention).toBe(0);
  expect(await locks.tryAcquire('contended')).toBeNull();
  const waiting = locks.acquire('contended', { waitMs: 10_000 });
  await sleep(60);
  await first.release();
  await (await waiting).release();
  await (await locks.acquire('free')).release();
  expect(locks.stats()).toMatchObject({ acquired: 3, busy: 1, contention: 0.5 });
  expect(locks.stats().waitMs?.max).toBeGreaterThanOrEqual(59);
});

test('renewals, and a loss by its cause', async () => {
  const locks = createLocks(redis, { ttlMs: 10_000 });
  const lease = await locks.acquire('renewed');
  expect(await lease.renew()).toBe(true);
  await redis.set('renewed', 'somebody else');
  expect(await lease.renew()).toBe(false);
  const { losses, renewals, roundTripMs, holdMs } = locks.stats();
  expect(losses).toEqual({ expired: 0, taken: 1, stalled: 0, unreachable: 0 });
  expect([renewals, roundTripMs?.count]).toEqual([1, 1]);
  expect(holdMs?.count).toBe(1);
});

test('a process that stands still is seen as a pause', async () => {
  const locks = createLocks(redis, { ttlMs: 5_000 });
  const lease = await locks.acquire('pause');
  const end = performance.now() + 150;
  while (performance.now() < end);
  await lease.release();
  await until('a pause was measured', () => locks.stats().pauseMs !== null);
  expect(locks.stats().pauseMs?.max).toBeGreaterThan(100);
});

test('failures are counted', async () => {
  const locks = createLocks(redis, { ttlMs: 1_000 });
  await locks.close();
  await expect(locks.acquire('closed')).rejects.toMatchObject({ code: 'LOCKPROOF_CLOSED' });
  expect(locks.stats()).toMatchObject({ failures: 1, acquired: 0 });
});
