import { acquireLease, tryAcquireLease } from 'lockproof';
import { describe, expect, test } from 'vitest';
import { useFaultyRedis } from '../../support/faulty-redis.js';
import { until } from '../../support/until.js';

const faulty = useFaultyRedis();
/** The client sends again what was not answered, as ioredis does by default, after this time. */
const sendsAgainAfter = (ms: number) => faulty.connect({ retryStrategy: () => ms });

describe('the reply of an acquire is lost, and the client sends it again', () => {
  test.each([false, true])('the lock is ours, not busy (fence: %s)', async (fence) => {
    const redis = await sendsAgainAfter(50);
    const dropped = faulty.proxy.dropReply();
    const acquiring = tryAcquireLease(redis, 'twice', { ttlMs: 8_000, fence });
    await dropped;
    const token = await faulty.direct.get('twice');
    expect(token).not.toBeNull();
    const lease = await acquiring;
    expect(lease?.token).toBe(token);
    expect(lease?.held).toBe(true);
    expect(await lease?.release()).toEqual({ released: true });
  });

  test('its TTL counts from the first sending', async () => {
    const redis = await sendsAgainAfter(500);
    void faulty.proxy.dropReply();
    const lease = await acquireLease(redis, 'counted', { ttlMs: 1_500 });
    expect(lease.held).toBe(true);
    await until('the key is gone', async () => (await faulty.direct.exists('counted')) === 0);
    expect(lease.held).toBe(false);
  });

  test('it is busy when the key went to somebody else meanwhile', async () => {
    const redis = await sendsAgainAfter(300);
    const dropped = faulty.proxy.dropReply();
    const acquiring = tryAcquireLease(redis, 'passed:on', { ttlMs: 8_000 });
    await dropped;
    await faulty.direct.set('passed:on', 'somebody-else', 'PX', 8_000);
    expect(await acquiring).toBeNull();
    expect(await faulty.direct.get('passed:on')).toBe('somebody-else');
  });

  test('a lease with too little left is given back and taken anew', async () => {
    const redis = await sendsAgainAfter(3_650);
    const dropped = faulty.proxy.dropReply();
    const acquiring = acquireLease(redis, 'late', { ttlMs: 4_000 });
    await dropped;
    const first = await faulty.direct.get('late');
    const events = await faulty.watch('late');
    const lease = await acquiring;
    expect(lease.token).not.toBe(first);
    expect(await faulty.direct.get('late')).toBe(lease.token);
    expect(events.filter((event) => event !== 'expire')).toEqual(['del', 'set']);
  }, 15_000);
});

describe('the reply of a release is lost, and the client sends it again', () => {
  test.each([
    { fence: false, outcome: { released: false, reason: 'unconfirmed' } },
    { fence: true, outcome: { released: true } },
  ])('the second one finds nothing, and that is no loss (fence: $fence)', async ({ fence, outcome }) => {
    const redis = await sendsAgainAfter(50);
    const lost = faulty.hear('lost');
    const lease = await acquireLease(redis, 'gone', { ttlMs: 8_000, fence });
    const dropped = faulty.proxy.dropReply();
    const releasing = lease.release();
    await dropped;
    expect(await faulty.direct.exists('gone')).toBe(0);
    expect(await releasing).toEqual(outcome);
    expect(lost).toEqual([]);
  });
});
