/** What is known of the packages a client can come from. Data, not code. */

/** The client libraries by the package that a client's class, factory or type is imported from. */
const PACKAGES: Readonly<Record<string, Library>> = {
  ioredis: 'ioredis',
  iovalkey: 'ioredis',
  '@types/ioredis': 'ioredis',
  '@nestjs-modules/ioredis': 'ioredis',
  '@songkeys/nestjs-redis': 'ioredis',
  '@liaoliaots/nestjs-redis': 'ioredis',
  '@fastify/redis': 'ioredis',
  '@midwayjs/redis': 'ioredis',
  redis: 'node-redis',
  '@redis/client': 'node-redis',
  '@upstash/redis': 'upstash',
  '@upstash/redis/cloudflare': 'upstash',
  '@upstash/redis/fastly': 'upstash',
  '@upstash/redis/nodejs': 'upstash',
  '@vercel/kv': 'upstash',
  '@valkey/valkey-glide': 'glide',
  bun: 'bun',
  'redis-mock': 'redis-mock',
};

export type Library = 'ioredis' | 'node-redis' | 'upstash' | 'glide' | 'bun' | 'redis-mock';

export const libraryOfPackage = (source: string): Library | null => PACKAGES[source] ?? null;

/** Constructors whose objects have `get`, `set`, `del` or `delete` and are no Redis. */
export const NOT_REDIS: ReadonlySet<string> = new Set([
  'Map',
  'WeakMap',
  'Set',
  'WeakSet',
  'URLSearchParams',
  'Headers',
  'FormData',
  'NodeCache',
  'LRU',
  'LRUCache',
  'QuickLRU',
  'TTLCache',
  'Keyv',
  'MemoryCache',
  'Conf',
  'Store',
]);

/** Objects of the platform and of other libraries with look-alike methods. */
export const NOT_REDIS_NAMES: ReadonlySet<string> = new Set([
  'localStorage',
  'sessionStorage',
  'navigator',
  'axios',
  'app',
  'router',
  'express',
  'http',
  'https',
  'prisma',
  'db',
  '$',
  'jQuery',
  '_',
]);
