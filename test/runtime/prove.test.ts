/* eslint-disable lockproof/require-unique-token, lockproof/no-blind-release, lockproof/require-expiry -- the wrong locks under test */
import { randomUUID } from 'node:crypto';
import { createLocks } from 'lockproof';
import { InMemoryRedis, proveLock, type LockFunctions, type ProofReport } from 'lockproof/testing';
import { describe, expect, test } from 'vitest';
import { ownRedis } from '../support/redis.js';

const TTL_MS = 500;
const { redis } = await ownRedis();

const COMPARE_AND = (act: string): string =>
  `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call(${act}) end return 0`;

const compareAndDelete = (key: string, token: string): Promise<unknown> =>
  redis.eval(COMPARE_AND("'del', KEYS[1]"), 1, key, token);

/** Right, and what each wrong lock is made from. */
const right: LockFunctions<string> = {
  async acquire(key) {
    const token = randomUUID();
    return (await redis.set(key, token, 'PX', TTL_MS, 'NX')) === 'OK' && token;
  },
  release: compareAndDelete,
  renew: (key, token) => redis.eval(COMPARE_AND("'pexpire', KEYS[1], ARGV[2]"), 1, key, token, TTL_MS),
};

const verdicts = (report: ProofReport, verdict: string): string[] =>
  report.timelines.filter((proof) => proof.verdict === verdict).map(({ timeline }) => timeline.name);

const proofOn = (lock: LockFunctions<string>): Promise<ProofReport> =>
  proveLock(lock, { observer: redis, ttlMs: TTL_MS });

describe('a hand-written lock', () => {
  test('that compares holds every timeline, and leaves no key', async () => {
    const report = await proofOn(right);
    expect(verdicts(report, 'held')).toHaveLength(report.timelines.length);
    expect(report.timelines.length).toBeGreaterThan(9);
    expect(report.held).toBe(true);
    expect(await redis.keys('lockproof:*')).toEqual([]);
  });

  test.each<{ name: string; wrong: Partial<LockFunctions<string>>; broken: string[] }>([
    {
      name: 'with one value for all and a plain DEL',
      wrong: {
        acquire: async (key) => (await redis.set(key, 'locked', 'PX', TTL_MS, 'NX')) === 'OK' && 'locked',
        release: (key) => redis.del(key),
      },
      broken: ['founding', 'own-value', 'late-release', 'late-renewal'],
    },
    {
      name: 'with a token of its own and a plain DEL',
      wrong: { release: (key) => redis.del(key) },
      broken: ['founding', 'late-release'],
    },
    {
      name: 'without a TTL',
      wrong: {
        async acquire(key) {
          const token = randomUUID();
          return (await redis.set(key, token, 'NX')) === 'OK' && token;
        },
      },
      broken: ['founding', 'late-release', 'ttl', 'own-renewal', 'late-renewal', 'revival'],
    },
    {
      name: 'with a renewal that does not compare',
      wrong: { renew: (key) => redis.pexpire(key, TTL_MS) },
      broken: ['late-renewal'],
    },
    {
      name: 'with a renewal that sets the key again',
      wrong: { renew: (key, token) => redis.set(key, token, 'PX', TTL_MS) },
      broken: ['late-renewal', 'revival'],
    },
    {
      name: 'that asks before it takes',
      wrong: {
        async acquire(key) {
          const token = randomUUID();
          if ((await redis.get(key)) !== null) return null;
          await redis.set(key, token, 'PX', TTL_MS);
          return token;
        },
      },
      broken: ['two-at-once'],
    },
    {
      name: 'whose release always answers success',
      wrong: { release: (key, token) => compareAndDelete(key, token).then(() => true) },
      broken: ['late-release'],
    },
  ])('$name is broken', async ({ wrong, broken }) => {
    const report = await proofOn({ ...right, ...wrong });
    expect(verdicts(report, 'broken')).toEqual(broken);
    expect(report.held).toBe(false);
  });

  test('says which steps broke it', async () => {
    const report = await proofOn({ ...right, release: (key) => redis.del(key) });
    expect(report.timelines[0]).toMatchObject({
      verdict: 'broken',
      brokenBy: [{ step: { who: 'redis', what: 'check', expected: 'B' }, observed: 'nobody' }],
    });
  });

  test('is not asked for what it does not have', async () => {
    const acquire: LockFunctions<string>['acquire'] = (key) => right.acquire(key);
    const release = async (key: string, token: string): Promise<void> => {
      await compareAndDelete(key, token);
    };
    const report = await proveLock(
      { acquire, release },
      {
        observer: { get: (key) => redis.get(key) },
        ttlMs: TTL_MS,
      },
    );
    const reasons = report.timelines.flatMap((proof) =>
      proof.verdict === 'not applicable' ? [[proof.timeline.name, proof.reason]] : [],
    );
    expect(Object.fromEntries(reasons)).toEqual({
      'late-release': 'release answers nothing, so its caller cannot tell a late one',
      ttl: 'the observer has no pttl to look at the TTL with',
      'own-renewal': 'no renew was given',
      'late-renewal': 'no renew was given',
      revival: 'no renew was given',
    });
    expect(report.held).toBe(true);
  });

  test('that throws is reported with its error', async () => {
    const error = new Error('no connection');
    const report = await proofOn({ ...right, acquire: () => Promise.reject(error) });
    expect(report.timelines[0]).toMatchObject({ verdict: 'broken', errors: [error, error] });
  });
});

describe('the runtime holds every timeline', () => {
  test('on Redis', async () => {
    const locks = createLocks(redis, { ttlMs: TTL_MS });
    const report = await proveLock(
      {
        acquire: (key) => locks.tryAcquire(key),
        release: (_key, lease) => lease.release(),
        renew: (_key, lease) => lease.renew(),
      },
      { observer: redis, ttlMs: TTL_MS },
    );
    expect(verdicts(report, 'held')).toHaveLength(report.timelines.length);
  });

  test('on the store in memory, without waiting', async () => {
    const memory = new InMemoryRedis();
    const locks = createLocks(memory, { ttlMs: 60_000 });
    const report = await proveLock(
      {
        acquire: (key) => locks.tryAcquire(key),
        release: (_key, lease) => lease.release(),
        renew: (_key, lease) => lease.renew(),
      },
      { observer: memory, ttlMs: 60_000, clock: memory.clock },
    );
    expect(verdicts(report, 'held')).toHaveLength(report.timelines.length);
    expect(memory.clock.nowMs).toBeGreaterThan(4 * 60_000);
  });
});

test.each([
  [{ release: compareAndDelete }, { ttlMs: TTL_MS }, /acquire must be a function, got undefined/],
  [right, { ttlMs: TTL_MS }, /observer must be a client with get/],
  [right, { observer: { get: () => Promise.resolve(null) } }, /ttlMs is missing/],
])('bad input is named', async (lock, options, message) => {
  await expect(proveLock(lock as never, options as never)).rejects.toThrow(message);
});
