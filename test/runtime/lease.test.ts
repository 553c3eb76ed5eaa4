import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import * as esm from 'lockproof';
import { acquireLease, hashToken, LeaseLostError, LOST_CHANNEL, releaseLease, withLock } from 'lockproof';
import { drawTimeline, foundingTimeline, fromSection, runTimeline } from 'lockproof/testing';
import { describe, expect, test } from 'vitest';
import { ownRedis } from '../support/redis.js';

const { server, redis } = await ownRedis();

/** Blocks the event loop, as a long computation or a garbage collection does. */
function standStill(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a holder that stands still past its TTL', () => {
  test('knows in the next statement that the lease is lost', async () => {
    const lease = await acquireLease(redis, 'stall', { ttlMs: 300, renew: true });
    const { signal } = lease;
    expect(signal.aborted).toBe(false);
    standStill(600);
    expect(signal.aborted).toBe(true);
    expect(lease.held).toBe(false);
    expect(signal.reason).toMatchObject({ code: 'LOCKPROOF_LOST', reason: 'stalled', key: 'stall' });
    expect(() => {
      lease.throwIfLost();
    }).toThrow(LeaseLostError);
    expect(() => {
      signal.throwIfAborted();
    }).toThrow(LeaseLostError);
  });

  test('AbortSignal.any made from the signal follows', async () => {
    const lease = await acquireLease(redis, 'stall:any', { ttlMs: 300 });
    const any = AbortSignal.any([lease.signal, new AbortController().signal]);
    standStill(600);
    expect(lease.held).toBe(false);
    expect(any.aborted).toBe(true);
  });

  test("leaves the next holder's lock alone", async () => {
    const work = withLock(redis, 'stall:next', { ttlMs: 300 }, async () => {
      standStill(600);
      await acquireLease(redis, 'stall:next', { ttlMs: 5_000 });
      return 'late';
    });
    await expect(work).rejects.toMatchObject({ reason: 'stalled', result: 'late' });
    expect(await redis.exists('stall:next')).toBe(1);
  });
});

test('the founding timeline holds, and its drawing names the key', async () => {
  const section = (work: () => Promise<void>): Promise<void> =>
    withLock(redis, 'order:lock:10086', { ttlMs: 300, renew: false }, work).catch((error: unknown) => {
      if (!(error instanceof LeaseLostError)) throw error;
    });
  const report = await runTimeline(foundingTimeline, {
    observer: redis,
    key: 'order:lock:10086',
    ttlMs: 300,
    lock: fromSection(section),
  });
  expect(report.brokenBy).toBeNull();
  expect(report.held).toBe(true);
  expect(report.steps.map((step) => step.observed)).toEqual([
    'taken',
    'expired',
    'taken',
    'B',
    'ended',
    'B',
    'ended',
    'nobody',
  ]);
  expect(drawTimeline(report)[0]).toContain('order:lock:10086');
});

test('the founding timeline breaks a fixed value with a plain DEL, at the check after the release', async () => {
  /* eslint-disable lockproof/require-unique-token, lockproof/no-blind-release -- the wrong lock under test */
  const section = async (work: () => Promise<void>): Promise<void> => {
    if ((await redis.set('wrong', 'lock-owner', 'PX', 300, 'NX')) !== 'OK') return;
    try {
      await work();
    } finally {
      await redis.del('wrong');
    }
  };
  /* eslint-enable lockproof/require-unique-token, lockproof/no-blind-release */
  const report = await runTimeline(foundingTimeline, {
    observer: redis,
    key: 'wrong',
    ttlMs: 300,
    lock: fromSection(section),
  });
  expect(report.held).toBe(false);
  expect(report.brokenBy).toMatchObject({ step: { what: 'check', expected: 'B' }, observed: 'nobody' });
  expect(report.steps.findIndex((step) => !step.ok)).toBe(5);
});

test('a late release is published, and answers taken', async () => {
  const heard: unknown[] = [];
  const listener = (loss: unknown): void => void heard.push(loss);
  subscribe(LOST_CHANNEL, listener);
  try {
    const { token } = await acquireLease(redis, 'late', { ttlMs: 5_000 });
    await redis.set('late', 'somebody-else', 'PX', 5_000);
    expect(await releaseLease(redis, 'late', token)).toEqual({ released: false, reason: 'taken' });
    expect(heard).toEqual([
      { type: 'lost', key: 'late', reason: 'taken', at: 'release', holdMs: null, stalledMs: 0 },
    ]);
  } finally {
    unsubscribe(LOST_CHANNEL, listener);
  }
});

test('await using releases at the end of the block', async () => {
  {
    await using lease = await acquireLease(redis, 'scoped', { ttlMs: 5_000 });
    expect(await redis.get('scoped')).toBe(lease.token);
  }
  expect(await redis.exists('scoped')).toBe(0);
});

test('a hash of a token is 8 hex digits, the same each time', () => {
  expect(hashToken('a')).toMatch(/^[0-9a-f]{8}$/);
  expect(hashToken('a')).toBe(hashToken('a'));
  expect(hashToken('a')).not.toBe(hashToken('b'));
});

test("CommonJS and ES modules get the same names, and take each other's leases", async () => {
  const cjs = createRequire(import.meta.url)('lockproof') as typeof esm;
  expect(Object.keys(cjs).sort()).toEqual(Object.keys(esm).sort());
  const lease = await cjs.acquireLease(redis, 'both', { ttlMs: 5_000 });
  expect(await releaseLease(lease)).toEqual({ released: true });
});

test('a held lease keeps no process alive', async () => {
  const script = `
    import { Redis } from 'ioredis';
    import { acquireLease } from 'lockproof';
    const redis = new Redis(${JSON.stringify(server.url)});
    await acquireLease(redis, 'alive', { ttlMs: 60_000, renew: true });
    redis.disconnect();
  `;
  const began = performance.now();
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(performance.now() - began).toBeLessThan(15_000);
});
