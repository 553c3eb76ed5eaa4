import { acquireLease, createLocks, LeaseLostError, LockUnavailableError, tryAcquireLease } from 'lockproof';
import { InMemoryRedis, VirtualClock } from 'lockproof/testing';
import { describe, expect, test } from 'vitest';

const KEY = 'order:lock:10086';

describe('locks on a virtual clock', () => {
  test('a lease lasts until its TTL is over, and then the next may have it', async () => {
    const redis = new InMemoryRedis();
    const lease = await acquireLease(redis, KEY, { ttlMs: 8_000 });
    await redis.clock.advance(7_900);
    expect(lease.held).toBe(true);
    expect(await tryAcquireLease(redis, KEY, { ttlMs: 8_000 })).toBeNull();
    await redis.clock.advance(100);
    expect(lease.held).toBe(false);
    expect(await redis.get(KEY)).toBeNull();
    const next = await acquireLease(redis, KEY, { ttlMs: 8_000 });
    expect(await lease.release()).toEqual({ released: false, reason: 'taken' });
    expect(await redis.get(KEY)).toBe(next.token);
  });

  test('renewals run in time, an hour in an instant', async () => {
    const redis = new InMemoryRedis();
    const lease = await acquireLease(redis, KEY, { ttlMs: 8_000, renew: true });
    await redis.clock.advance(3_600_000);
    expect(lease.held).toBe(true);
    expect(await redis.get(KEY)).toBe(lease.token);
    expect(await redis.pttl(KEY)).toBeGreaterThan(5_000);
  });

  test('a process that stands still loses its lease before any timer runs', async () => {
    const redis = new InMemoryRedis();
    const lease = await acquireLease(redis, KEY, { ttlMs: 8_000, renew: true });
    redis.clock.standStill(10_000);
    expect(lease.signal.aborted).toBe(true);
    expect(lease.signal.reason).toMatchObject({ reason: 'stalled' });
    await redis.set(KEY, 'somebody-else', 5_000);
    await redis.clock.advance(4_000);
    expect(await redis.get(KEY)).toBe('somebody-else');
  });

  test('a waiter gets a lock when it is free, and gives up when its time is over', async () => {
    const redis = new InMemoryRedis();
    const locks = createLocks(redis, { ttlMs: 8_000 });
    const first = await locks.acquire(KEY);
    const patient = locks.acquire(KEY, { waitMs: 5_000 });
    const refused = expect(locks.acquire(KEY, { waitMs: 1_000 })).rejects.toMatchObject({
      code: 'LOCKPROOF_BUSY',
    });
    await redis.clock.advance(2_000);
    await refused;
    await first.release();
    await redis.clock.advance(300);
    expect((await patient).held).toBe(true);
  });

  test('work that ends without its lease rejects', async () => {
    const redis = new InMemoryRedis();
    const locks = createLocks(redis, { ttlMs: 1_000 });
    const work = locks.withLock(KEY, async () => {
      await redis.del(KEY);
      await redis.clock.advance(500);
      return 42;
    });
    await expect(work).rejects.toThrow(LeaseLostError);
  });

  test('fences rise, also within one instant and over keys that expired', async () => {
    const redis = new InMemoryRedis();
    const fences: number[] = [];
    for (const passes of [0, 0, 9_000, 0]) {
      const lease = await acquireLease(redis, KEY, { ttlMs: 8_000, fence: true });
      fences.push(lease.fence);
      if (passes > 0) await redis.clock.advance(passes);
      else expect(await lease.release()).toEqual({ released: true });
    }
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
  });

  test('a closed store is unavailable', async () => {
    const redis = new InMemoryRedis();
    redis.close();
    await expect(acquireLease(redis, KEY, { ttlMs: 8_000 })).rejects.toThrow(LockUnavailableError);
  });
});

describe('the virtual clock', () => {
  test('runs timers in the order of their time, each at its time, with what they start meanwhile', async () => {
    const clock = new VirtualClock();
    const ran: [string, number][] = [];
    const run = (name: string) => (): void => void ran.push([name, clock.nowMs]);
    clock.startTimer(20, run('second'));
    clock.startTimer(10, () => {
      run('first')();
      void Promise.resolve().then(() => clock.startTimer(5, run('between')));
    });
    clock.startTimer(15, run('stopped')).stop();
    clock.startTimer(31, run('too late'));
    await clock.advance(30);
    expect(ran).toEqual([
      ['first', 10],
      ['between', 15],
      ['second', 20],
    ]);
    expect(clock.nowMs).toBe(30);
  });

  test.each([-1, NaN, Infinity, '5'])('refuses to move by %s', async (ms) => {
    await expect(new VirtualClock().advance(ms as number)).rejects.toThrow(
      /ms must be a number of milliseconds from 0 on/,
    );
  });

  test('is not there on real time', () => {
    expect(() => new InMemoryRedis({ clock: 'system' }).clock).toThrow(/no clock to move/);
  });
});
