/** A real Redis of one test file. */
import { Redis } from 'ioredis';
import { startRedisServer, type RedisServer } from 'lockproof/testing';
import { afterAll } from 'vitest';

/** Starts a server and connects to it; both end with the file's tests. */
export async function ownRedis(): Promise<{ server: RedisServer; redis: Redis }> {
  const server = await startRedisServer();
  const redis = new Redis(server.url);
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  return { server, redis };
}
