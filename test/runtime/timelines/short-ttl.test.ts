import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, withLock } from 'lockproof';
import { expect, test } from 'vitest';
import { useFaultyRedis } from '../../support/faulty-redis.js';

const faulty = useFaultyRedis();

test('work that takes longer than a short TTL is renewed, none is lost, and its hold times are published', async () => {
  const redis = await faulty.connect();
  const lost = faulty.hear('lost');
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const released = faulty.hear('released');
  const works = Array.from({ length: 200 }, (_, i) => i);
  // Most are short, some are a multiple of the TTL.
  const workMs = (i: number): number => (i % 20 === 0 ? 2_500 : 40 + i);
  const ends = await Promise.all(
    works.map((i) => withLock(redis, `work:${String(i)}`, { ttlMs: 1_000 }, () => sleep(workMs(i), i))),
  );
  expect(ends).toEqual(works);
  process.off('warning', warn);
  expect(lost).toEqual([]);
  expect(warnings).toEqual([]);
  expect(released).toHaveLength(200);
  for (const { key, holdMs } of released) {
    expect(holdMs).toBeGreaterThanOrEqual(workMs(Number(key.slice('work:'.length))) - 1);
  }
}, 20_000);

test('a holder that is killed is followed by the next within its TTL', async () => {
  const script = `
    import { Redis } from 'ioredis';
    import { acquireLease } from 'lockproof';
    const redis = new Redis(${JSON.stringify(faulty.server.url)});
    await acquireLease(redis, 'killed', { ttlMs: 1_000, renew: true });
    console.log('held');
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const leftMs = await faulty.direct.pttl('killed');
  expect(leftMs).toBeLessThanOrEqual(1_000);
  const next = await acquireLease(faulty.direct, 'killed', { ttlMs: 5_000, waitMs: 10_000 });
  expect(next.held).toBe(true);
}, 20_000);
