/** The Redis of the demo: the user's own by REDIS_URL, or one that is started for the demo and stopped again. */
import { randomBytes } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { NoRedisServerError, startRedisServer } from 'lockproof/testing';
import { unusable, withoutPassword } from '../server-address.js';
import { RecordedRedis, type Exchange } from './recorded-redis.js';

export interface DemoRedis {
  /** Where it is, without a password. */
  readonly where: string;
  /** Put before every key, so that nothing else on the server is touched. */
  readonly prefix: string;
  /** A connection that looks at keys and is not recorded. */
  readonly observer: Redis;
  /** A connection for one request of the service. */
  connect(who: string, log: Exchange[]): Promise<RecordedRedis>;
  /** Removes every key that a request named, disconnects, and stops the server if it was started here. */
  close(): Promise<void>;
}

/** A server that is gone or silent ends the demo with an error. */
const PATIENCE = { connectTimeout: 5_000, commandTimeout: 5_000, retryStrategy: () => null };

/**
 * @param url as in REDIS_URL; a server is started when it is left out
 * @returns null when there is neither an address nor a server program
 * @throws Error that names the server when it does not answer
 */
export async function openRedis(url: string | undefined): Promise<DemoRedis | null> {
  if (url) return connectTo(url, () => Promise.resolve());
  const server = await startRedisServer().catch((error: unknown) => {
    if (error instanceof NoRedisServerError) return null;
    throw error;
  });
  return server && connectTo(server.url, () => server.stop());
}

async function connectTo(url: string, stop: () => Promise<void>): Promise<DemoRedis> {
  const prefix = `lockproof-demo:${randomBytes(4).toString('hex')}:`;
  const options = { ...PATIENCE, keyPrefix: prefix, lazyConnect: true } satisfies RedisOptions;
  const observer = new Redis(url, options);
  const clients: Redis[] = [observer];
  const logs = new Set<Exchange[]>();
  const disconnect = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    await stop();
  };

  try {
    await connected(observer, url);
  } catch (error) {
    await disconnect();
    throw error;
  }
  return {
    where: withoutPassword(url),
    prefix,
    observer,
    connect: (who, log) => {
      const client = new RecordedRedis(url, options, who, log);
      clients.push(client);
      logs.add(log);
      return connected(client, url);
    },
    close: async () => {
      const keys = new Set([...logs].flat().flatMap((exchange) => exchange.keys));
      try {
        if (keys.size > 0) await observer.del(...keys);
      } finally {
        await disconnect();
      }
    },
  };
}

async function connected<Client extends Redis>(client: Client, url: string): Promise<Client> {
  let cause: unknown;
  client.on('error', (error) => (cause = error));
  try {
    await client.connect();
  } catch (error) {
    throw unusable('Redis', url, cause ?? error);
  }
  return client;
}
