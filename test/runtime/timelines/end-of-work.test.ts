import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { acquireLease, withLock } from 'lockproof';
import { describe, expect, test } from 'vitest';
import { useFaultyRedis } from '../../support/faulty-redis.js';
import { until } from '../../support/until.js';

const faulty = useFaultyRedis();

describe('a renewal that is answered after the end of the work', () => {
  test('changes nothing when it was kept', async () => {
    const redis = await faulty.connect();
    const events = await faulty.watch('kept');
    const [lost, failed] = [faulty.hear('lost'), faulty.hear('renewal-failed')];
    const lease = await acquireLease(redis, 'kept', { ttlMs: 3_000, renew: true });
    faulty.proxy.holdReplies();
    await until('Redis has renewed', () => events.filter((event) => event === 'expire').length === 2);
    const releasing = lease.release();
    await until('Redis has released', () => events.includes('del'));
    faulty.proxy.flow();
    expect(await releasing).toEqual({ released: true });
    expect(lease.signal.aborted).toBe(false);
    expect([...lost, ...failed]).toEqual([]);
  });

  test('is no second loss when it found nothing', async () => {
    const redis = await faulty.connect();
    const lost = faulty.hear('lost');
    const lease = await acquireLease(redis, 'nothing', { ttlMs: 5_000 });
    faulty.proxy.holdRequests();
    const renewing = lease.renew();
    await faulty.direct.del('nothing');
    const releasing = lease.release();
    faulty.proxy.flow();
    expect(await renewing).toBe(false);
    expect(await releasing).toEqual({ released: false, reason: 'absent' });
    expect(lease.signal.aborted).toBe(false);
    expect(lost).toEqual([expect.objectContaining({ at: 'release', reason: 'expired' })]);
  });

  test('keeps no process alive', async () => {
    const script = `
      import { Redis } from 'ioredis';
      import { withLock } from 'lockproof';
      const redis = new Redis(${JSON.stringify(faulty.proxy.url)});
      await withLock(redis, 'alive', { ttlMs: 60_000 }, (lease) => {
        lease.renew().catch(() => undefined);
      });
      redis.disconnect();
    `;
    faulty.proxy.delayReplies(50);
    const ended = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 20_000,
    });
    expect(ended.stderr).toBe('');
  }, 30_000);
});

describe('a release that fails does not hide how the work ended', () => {
  test('not its result', async () => {
    const redis = await faulty.connect();
    const released = faulty.hear('released');
    const result = await withLock(redis, 'result', { ttlMs: 1_000, renew: false }, () => {
      faulty.proxy.silence();
      return 42;
    });
    expect(result).toBe(42);
    expect(released).toEqual([expect.objectContaining({ outcome: 'unconfirmed' })]);
  });

  test.each(['silent', 'taken', 'cut'])('not its error (%s)', async (how) => {
    const redis = await faulty.connect({ retryStrategy: how === 'cut' ? () => null : () => 50 });
    const error = new Error('out of stock');
    const work = withLock(redis, 'error', { ttlMs: 1_000, renew: false }, async () => {
      if (how === 'silent') faulty.proxy.silence();
      else if (how === 'cut') faulty.proxy.cut();
      else await faulty.direct.set('error', 'somebody-else', 'PX', 5_000);
      throw error;
    });
    await expect(work).rejects.toBe(error);
  });
});
