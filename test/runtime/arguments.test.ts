import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  createLocks,
  releaseLease,
  renewLease,
  tryAcquireLease,
  withLock,
  type RedisClient,
} from 'lockproof';
import { describe, expect, test } from 'vitest';
import { ownRedis } from '../support/redis.js';

const { server, redis } = await ownRedis();

const anything = (value: unknown): never => value as never;

describe('wrong TTLs', () => {
  test.each<[unknown, RegExp]>([
    [undefined, /ttlMs is missing/],
    [30, /ttlMs must be .*from 100 on, got 30 .*write 30000/],
    [0, /ttlMs .*got 0/],
    [-1, /ttlMs .*got -1/],
    [99.5, /ttlMs .*got 99.5/],
    [1000.5, /ttlMs .*got 1000.5/],
    [Number.NaN, /ttlMs .*got NaN/],
    [Infinity, /ttlMs .*got Infinity/],
    ['8000', /ttlMs .*got "8000"/],
    [null, /ttlMs .*got null/],
  ])('%s', async (ttlMs, message) => {
    await expect(tryAcquireLease(redis, 'key', { ttlMs: anything(ttlMs) })).rejects.toThrow(message);
    await expect(tryAcquireLease(redis, 'key', { ttlMs: anything(ttlMs) })).rejects.toMatchObject({
      code: 'LOCKPROOF_ARGUMENT',
    });
    expect(await redis.exists('key')).toBe(0);
  });

  test('a renewal checks its TTL, too', async () => {
    await expect(renewLease(redis, 'key', 'token', 30)).rejects.toThrow(/ttlMs/);
  });
});

describe('wrong keys and tokens', () => {
  test.each<[unknown, RegExp]>([
    ['', /key must not be empty/],
    [undefined, /key must be a string, got undefined/],
    [7, /key must be a string, got 7/],
    [['a'], /key must be a string, got an array/],
  ])('key %s', async (key, message) => {
    await expect(tryAcquireLease(redis, anything(key), { ttlMs: 1_000 })).rejects.toThrow(message);
    await expect(releaseLease(redis, anything(key), 'token')).rejects.toThrow(message);
  });

  test('a token is never shown', async () => {
    await expect(releaseLease(redis, 'key', anything(12345))).rejects.toThrow(
      'token must be a string, got number',
    );
    await expect(releaseLease(redis, 'key', '')).rejects.toThrow('token must not be empty');
  });

  test('a lease of nobody', async () => {
    await expect(releaseLease(anything({ key: 'a' }))).rejects.toThrow(
      /lease must be one that acquire answered/,
    );
    await expect(releaseLease(anything(null))).rejects.toThrow(/lease must be .*got null/);
  });
});

describe('wrong options', () => {
  test('an unknown one is named, with the known ones', async () => {
    await expect(tryAcquireLease(redis, 'key', anything({ ttl: 8 }))).rejects.toThrow(
      /unknown option "ttl"; known ones are ttlMs, waitMs/,
    );
  });
  test.each<[object, RegExp]>([
    [{ ttlMs: 1_000, waitMs: -1 }, /waitMs .*got -1/],
    [{ ttlMs: 1_000, waitMs: 'long' }, /waitMs .*got "long"/],
    [{ ttlMs: 1_000, signal: {} }, /signal must be an AbortSignal/],
    [{ ttlMs: 1_000, renew: 1 }, /renew must be true or false, got 1/],
  ])('%j', async (options, message) => {
    await expect(tryAcquireLease(redis, 'key', anything(options))).rejects.toThrow(message);
  });
  test('no options at all', async () => {
    await expect(tryAcquireLease(redis, 'key', anything(8_000))).rejects.toThrow(/options must be an object/);
  });
  test('no work', async () => {
    await expect(withLock(redis, 'key', { ttlMs: 1_000 }, anything('work'))).rejects.toThrow(
      /the work must be a function, got "work"/,
    );
    expect(await redis.exists('key')).toBe(0);
  });
  test('wrong defaults are found when the locks are made', () => {
    expect(() => createLocks(redis, { ttlMs: 30 })).toThrow(/ttlMs/);
    expect(() => createLocks(redis, anything({ ttl: 30 }))).toThrow(/unknown option "ttl"/);
  });
});

describe('objects that are no client', () => {
  const legacy = (): unknown => createClient({ url: server.url }).legacy();
  test.each<[string, () => unknown, RegExp]>([
    ['nothing', () => undefined, /client must be a Redis client, got undefined: pass a client of ioredis/],
    ['a string', () => 'redis://localhost', /client must be a Redis client, got "redis:/],
    ['a class', () => Redis, /client is the function Redis, not a client.*new Redis\(\)/],
    ['a promise', () => Promise.resolve(redis), /client is a Promise: await it first/],
    ['a Map', () => new Map(), /without EVAL \(a mock\?\)/],
    ['a pipeline', () => redis.pipeline(), /a pipeline or a transaction: pass the client itself/],
    ['a plain object', () => ({}), /client is an object \(Object\)/],
    [
      'the legacy object of node-redis',
      legacy,
      /legacy\(\) object of node-redis: pass the client that it was made from/,
    ],
  ])('%s', async (_, client, message) => {
    await expect(tryAcquireLease(client() as RedisClient, 'key', { ttlMs: 1_000 })).rejects.toThrow(message);
    expect(() => createLocks(client() as RedisClient)).toThrow(message);
  });
});

test('a key that holds something else than a lock', async () => {
  await redis.lpush('a-list', 'x');
  await expect(tryAcquireLease(redis, 'a-list', { ttlMs: 1_000 })).rejects.toMatchObject({
    code: 'LOCKPROOF_UNAVAILABLE',
    key: 'a-list',
  });
  expect(await redis.llen('a-list')).toBe(1);
});

test('waiting ends with the signal, and leaves nothing behind', async () => {
  await redis.set('busy', 'somebody', 'PX', 10_000);
  const waiting = tryAcquireLease(redis, 'busy', {
    ttlMs: 1_000,
    waitMs: 10_000,
    signal: AbortSignal.timeout(50),
  });
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(await redis.get('busy')).toBe('somebody');
});
