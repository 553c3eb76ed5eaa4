import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, LockBusyError, LockUnknownError, withLock } from 'lockproof';
import { describe, expect, test } from 'vitest';
import { useFaultyRedis } from '../../support/faulty-redis.js';
import { until } from '../../support/until.js';

const faulty = useFaultyRedis();
const TTL_MS = 30_000;

/** The acquire that nobody waits for any more lands, and is given back; B need not wait for its TTL. */
async function landsAndIsGivenBack(key: string): Promise<void> {
  const events = await faulty.watch(key);
  faulty.proxy.flow();
  await until('the late acquire is given back', () => events.includes('del'));
  expect(events.filter((event) => event !== 'expire')).toEqual(['set', 'del']);
  const next = await acquireLease(faulty.direct, key, { ttlMs: TTL_MS });
  expect(next.held).toBe(true);
}

describe('an acquire that is given up and lands later leaves no orphan', () => {
  test('when the time to wait is over', async () => {
    const redis = await faulty.connect();
    let worked = false;
    faulty.proxy.holdRequests();
    const work = withLock(redis, 'over', { ttlMs: TTL_MS, waitMs: 300 }, () => {
      worked = true;
    });
    await expect(work).rejects.toThrow(LockUnknownError);
    await landsAndIsGivenBack('over');
    expect(worked).toBe(false);
  });

  test("when the client's own time-out ends the command", async () => {
    const redis = await faulty.connect({ commandTimeout: 2_000 });
    faulty.proxy.holdRequests();
    await expect(acquireLease(redis, 'timeout', { ttlMs: TTL_MS })).rejects.toThrow(LockUnknownError);
    await landsAndIsGivenBack('timeout');
  });

  test('when the caller aborts', async () => {
    const redis = await faulty.connect();
    const caller = new AbortController();
    faulty.proxy.holdRequests();
    const acquiring = acquireLease(redis, 'abort', { ttlMs: TTL_MS, waitMs: TTL_MS, signal: caller.signal });
    await Promise.resolve();
    const reason = new Error('the request was closed');
    caller.abort(reason);
    await expect(acquiring).rejects.toBe(reason);
    await landsAndIsGivenBack('abort');
  });
});

test('who has given up waiting does not take the lock later', async () => {
  const redis = await faulty.connect();
  const holder = await acquireLease(faulty.direct, 'given:up', { ttlMs: TTL_MS });
  await expect(acquireLease(redis, 'given:up', { ttlMs: TTL_MS, waitMs: 300 })).rejects.toThrow(
    LockBusyError,
  );
  const events = await faulty.watch('given:up');
  await holder.release();
  await sleep(600);
  expect(events).toEqual(['del']);
});
