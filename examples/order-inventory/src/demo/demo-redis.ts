/** The Redis of the demo: the user's own by REDIS_URL, or one that is started for the demo and stopped again. */
import { randomBytes } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { NoRedisServerError, startRedisServer } from 'lockproof/testing';
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

/**
 * @param url as in REDIS_URL; a server is started when it is left out
 * @returns null when there is neither an address nor a server program
 * @throws Error that names the server when it does not answer
 */
export async function openRedis(url: string | undefined): Promise<DemoRedis | null> {
  if (url) return connectTo(url, () => Promise.resolve());
  try {
    const server = await startRedisServer();
    return await connectTo(server.url, () => server.stop());
  } catch (error) {
    if (error instanceof NoRedisServerError) return null;
    throw error;
  }
}

async function connectTo(url: string, stop: () => Promise<void>): Promise<DemoRedis> {
  const where = withoutPassword(url);
  const prefix = `lockproof-demo:${randomBytes(4).toString('hex')}:`;
  const options = { keyPrefix: prefix, lazyConnect: true, retryStrategy: () => null } satisfies RedisOptions;
  const clients: Redis[] = [];
  const logs = new Set<Exchange[]>();

  const open = async <Client extends Redis>(client: Client): Promise<Client> => {
    let cause = '';
    client.on('error', (error: Error) => (cause = error.message));
    clients.push(client);
    try {
      await client.connect();
    } catch (error) {
      throw new Error(`Redis at ${where} does not answer: ${cause || String(error)}`, { cause: error });
    }
    return client;
  };

  const observer = await open(new Redis(url, options));
  return {
    where,
    prefix,
    observer,
    connect: (who, log) => {
      logs.add(log);
      return open(new RecordedRedis(url, options, who, log));
    },
    close: async () => {
      const keys = new Set([...logs].flat().flatMap((exchange) => exchange.keys));
      if (keys.size > 0) await observer.del(...keys);
      for (const client of clients) client.disconnect();
      await stop();
    },
  };
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
