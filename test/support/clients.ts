/** Every client library and version that the runtime supports, connected to a server, and the store in memory. */
import { Cluster, Redis } from 'ioredis';
import { Redis as Redis6 } from 'ioredis-6';
import { Redis as Valkey } from 'iovalkey';
import { createClient as createClient5, createCluster } from 'redis';
import { createClient as createClient4 } from 'redis-4';
import { createClient as createClient6 } from 'redis-6';
import type { RedisClient } from 'lockproof';
import { InMemoryRedis } from 'lockproof/testing';

export interface Connected {
  client: RedisClient;
  /** Ends the connection without waiting for anything. */
  close(): void;
  /** Somebody else on the same keys; where there is none, a connection to the server will do. */
  somebody?: Somebody;
}

/** Looks at keys and changes them beside the client under test. */
export interface Somebody {
  get(key: string): Promise<string | null>;
  pttl(key: string): Promise<number>;
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
  del(key: string): Promise<unknown>;
  forgetScripts(): Promise<unknown>;
  disconnect(): void;
}

/** Somebody on a connection of their own. */
export function somebodyOn(url: string): Somebody {
  const redis = new Redis(url);
  return {
    get: (key) => redis.get(key),
    pttl: (key) => redis.pttl(key),
    set: (key, value, ttlMs) => redis.set(key, value, 'PX', ttlMs),
    del: (key) => redis.del(key),
    forgetScripts: () => redis.script('FLUSH'),
    disconnect: () => {
      redis.disconnect();
    },
  };
}

export interface ClientKind {
  name: string;
  connect(url: string): Promise<Connected>;
}

interface NodeRedis {
  connect(): Promise<unknown>;
  on(event: 'error', listener: () => void): unknown;
  disconnect?(): Promise<unknown>;
  destroy?(): void;
}

/** node-redis 4 has `disconnect`, 5 and later `destroy`. A closed client answers with errors of its own. */
async function nodeRedis(client: NodeRedis): Promise<Connected> {
  client.on('error', () => undefined);
  await client.connect();
  let open = true;
  return {
    client: client as unknown as RedisClient,
    close: () => {
      if (!open) return;
      open = false;
      if (client.destroy) client.destroy();
      else void client.disconnect?.().catch(() => undefined);
    },
  };
}

interface Disconnectable {
  disconnect(): void;
  on(event: 'error', listener: () => void): unknown;
}

function ioredis(client: Disconnectable & RedisClient): Promise<Connected> {
  client.on('error', () => undefined);
  return Promise.resolve({
    client,
    close: () => {
      client.disconnect();
    },
  });
}

export const clientKinds: readonly ClientKind[] = [
  { name: 'ioredis 5', connect: (url) => ioredis(new Redis(url)) },
  {
    name: 'ioredis 5 with auto-pipelining',
    connect: (url) => ioredis(new Redis(url, { enableAutoPipelining: true })),
  },
  { name: 'ioredis 5 with a key prefix', connect: (url) => ioredis(new Redis(url, { keyPrefix: 'app:' })) },
  {
    name: 'ioredis 5 with numbers as strings',
    connect: (url) => ioredis(new Redis(url, { stringNumbers: true })),
  },
  { name: 'ioredis 6', connect: (url) => ioredis(new Redis6(url)) },
  { name: 'iovalkey', connect: (url) => ioredis(new Valkey(url)) },
  { name: 'node-redis 4', connect: (url) => nodeRedis(createClient4({ url })) },
  { name: 'node-redis 5', connect: (url) => nodeRedis(createClient5({ url })) },
  { name: 'node-redis 6', connect: (url) => nodeRedis(createClient6({ url })) },
];

export const clusterKinds: readonly ClientKind[] = [
  { name: 'ioredis 5 Cluster', connect: (url) => ioredis(new Cluster([url])) },
  {
    name: 'node-redis 5 cluster',
    connect: (url) => nodeRedis(createCluster({ rootNodes: [{ url }] })),
  },
];

export const inMemory: ClientKind = {
  name: 'InMemoryRedis on real time',
  connect() {
    const redis = new InMemoryRedis({ clock: 'system' });
    const close = (): void => {
      redis.close();
    };
    const somebody: Somebody = {
      get: (key) => redis.get(key),
      pttl: (key) => redis.pttl(key),
      set: (key, value, ttlMs) => redis.set(key, value, ttlMs),
      del: (key) => redis.del(key),
      forgetScripts: () => Promise.resolve(),
      disconnect: close,
    };
    return Promise.resolve({ client: redis, close, somebody });
  },
};
