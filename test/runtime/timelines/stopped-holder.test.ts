import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease } from 'lockproof';
import { expect, test } from 'vitest';
import { useFaultyRedis } from '../../support/faulty-redis.js';

const faulty = useFaultyRedis();

/** Another holder, in a thread of its own: it waits for the lock and raises the flag once it has it. */
const B = `
  const { workerData: { url, key, flag } } = require('node:worker_threads');
  const { Redis } = require('ioredis');
  const { acquireLease } = require('lockproof');
  const redis = new Redis(url);
  const options = { ttlMs: 30_000, waitMs: 30_000, fence: true };
  acquireLease(redis, key, options).then((lease) => {
    redis.disconnect();
    Atomics.store(flag, 1, 1);
    Atomics.notify(flag, 1);
  });
`;

test('a holder that stops until another has the lock knows at once, and touches it no more', async () => {
  const key = 'payout:lock';
  const flag = new Int32Array(new SharedArrayBuffer(8));
  const redis = await faulty.connect();
  const lost = faulty.hear('lost');
  const failed = faulty.hear('renewal-failed');
  const lease = await acquireLease(redis, key, { ttlMs: 500, renew: true, fence: true });
  const worker = new Worker(B, { eval: true, workerData: { url: faulty.server.url, key, flag } });
  // No timer, no reply, no event: this thread stands still until B has the lock.
  expect(Atomics.wait(flag, 1, 0, 20_000)).toBe('ok');
  expect(lease.signal.aborted).toBe(true);
  expect(lease.held).toBe(false);
  expect(lease.signal.reason).toMatchObject({ reason: 'stalled' });

  const token = await faulty.direct.get(key);
  expect(token).not.toBeNull();
  const events = await faulty.watch(key);
  await sleep(600);
  expect(await lease.renew()).toBe(false);
  expect(await lease.release()).toEqual({ released: false, reason: 'taken' });
  expect(await faulty.direct.get(key)).toBe(token);
  expect(events).toEqual([]);
  expect(failed).toEqual([]);
  expect(lost).toHaveLength(1);
  await worker.terminate();

  // The database refuses A's write: B's acquisition has the larger number.
  const last = await faulty.direct.keys(`${key}*fence`);
  expect(Number(await faulty.direct.hget(last[0] ?? '', 'fence'))).toBeGreaterThan(lease.fence);
});
