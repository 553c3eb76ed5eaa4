/** A real Redis with a fault proxy before it, for the tests of one file. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Redis, type RedisOptions } from 'ioredis';
import { channelOf, tryAcquireLease, type LockEvent } from 'lockproof';
import { startFaultProxy, startRedisServer, type FaultProxy, type RedisServer } from 'lockproof/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';

export interface FaultyRedis {
  server: RedisServer;
  proxy: FaultProxy;
  /** A connection beside the proxy: another process, or somebody who looks on. */
  direct: Redis;
  /** A connection through the proxy that knows the scripts; closed at the end of the test. */
  connect(options?: RedisOptions): Promise<Redis>;
  /** What Redis does to a key from now on, in order: `set`, `expire`, `del`, `expired`. */
  watch(key: string): Promise<readonly string[]>;
  /** The events of a type that are published from now until the end of the test. */
  hear<T extends LockEvent['type']>(type: T): readonly Extract<LockEvent, { type: T }>[];
}

export function useFaultyRedis(): FaultyRedis {
  let ends: (() => void)[] = [];
  const faulty = {} as FaultyRedis;
  Object.assign(faulty, {
    async connect(options: RedisOptions = {}) {
      const redis = new Redis(faulty.proxy.url, options);
      redis.on('error', () => undefined);
      ends.push(() => {
        redis.disconnect();
      });
      for (const fence of [true, false]) {
        const lease = await tryAcquireLease(redis, 'known:scripts', { ttlMs: 5_000, fence });
        await lease?.renew();
        await lease?.release();
      }
      return redis;
    },
    async watch(key: string) {
      const seen: string[] = [];
      await faulty.direct.config('SET', 'notify-keyspace-events', 'KA');
      const listener = faulty.direct.duplicate();
      ends.push(() => {
        listener.disconnect();
      });
      listener.on('message', (_channel, event: string) => seen.push(event));
      await listener.subscribe(`__keyspace@0__:${key}`);
      return seen;
    },
    hear<T extends LockEvent['type']>(type: T) {
      const heard: Extract<LockEvent, { type: T }>[] = [];
      const listener = (event: unknown): void => void heard.push(event as never);
      subscribe(channelOf(type), listener);
      ends.push(() => {
        unsubscribe(channelOf(type), listener);
      });
      return heard;
    },
  } satisfies Partial<FaultyRedis>);

  beforeAll(async () => {
    faulty.server = await startRedisServer();
    faulty.proxy = await startFaultProxy(faulty.server);
    faulty.direct = new Redis(faulty.server.url);
  });
  afterEach(async () => {
    for (const end of ends) end();
    ends = [];
    faulty.proxy.flow();
    faulty.proxy.delayReplies(0);
    await faulty.direct.flushall();
  });
  afterAll(async () => {
    faulty.direct.disconnect();
    await faulty.proxy.stop();
    await faulty.server.stop();
  });
  return faulty;
}
