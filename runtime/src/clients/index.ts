/** Finds the adapter for a client by what the object can do: class names differ, and two copies of a library break `instanceof`. */
import { show, wrongType } from '../arguments.js';
import { ADAPTER, type RedisAdapter } from './adapter.js';
import { ioredis, type IoredisClient } from './ioredis.js';
import { nodeRedis, type NodeRedisClient } from './node-redis.js';

/** A client of ioredis 5 or 6, iovalkey, or node-redis 4, 5 or 6. */
export type RedisClient = IoredisClient | NodeRedisClient | OwnClient;

/** A client that brings its adapter, such as the store in memory. */
interface OwnClient {
  readonly [ADAPTER]: RedisAdapter;
}

const EXPECTED = 'pass a client of ioredis, iovalkey or node-redis (4 and later)';

const adapters = new WeakMap<object, RedisAdapter>();

/** The adapter of a client; throws a TypeError that says what was given and what to pass. */
export function adapterOf(client: unknown): RedisAdapter {
  if (typeof client === 'function') {
    return wrongType(`client is ${show(client)}, not a client: ${EXPECTED}, for example new Redis()`);
  }
  if (typeof client !== 'object' || client === null) {
    return wrongType(`client must be a Redis client, got ${show(client)}: ${EXPECTED}`);
  }
  let adapter = adapters.get(client);
  if (!adapter) {
    adapter = detect(client);
    adapters.set(client, adapter);
  }
  return adapter;
}

function detect(client: object): RedisAdapter {
  const has = (...names: string[]): boolean =>
    names.every((name) => typeof (client as Record<string, unknown>)[name] === 'function');
  const refuse = (what: string, instead = EXPECTED): never => wrongType(`client is ${what}: ${instead}`);

  if (ADAPTER in client) return client[ADAPTER] as RedisAdapter;
  if (has('then')) return refuse('a Promise', 'await it first, then pass the client');
  if (has('invokeScript', 'customCommand'))
    return refuse('a client of valkey-glide, which is not supported yet');
  if (has('createScript', 'eval')) return refuse('a client of @upstash/redis, which is not supported yet');
  if (
    (client as { isPipeline?: unknown }).isPipeline === true ||
    (has('exec', 'eval') && !has('duplicate'))
  ) {
    return refuse('a pipeline or a transaction', 'pass the client itself');
  }
  if (has('defineCommand', 'eval', 'evalsha')) return ioredis(client as IoredisClient);
  if (has('sendCommand', 'setNX', 'evalSha')) return detectNodeRedis(client, refuse);
  if (has('send_command') || has('internal_send_command')) {
    return refuse('a client of redis 3 or older, whose commands answer to callbacks');
  }
  if (has('send', 'getBuffer', 'setnx')) return refuse("Bun's client, which is not supported yet");
  if (has('get', 'set') && !has('eval'))
    return refuse('an object without EVAL (a mock?)', `locks need Lua scripts: ${EXPECTED}`);
  return refuse(show(client));
}

function detectNodeRedis(client: object, refuse: (what: string, instead?: string) => never): RedisAdapter {
  // The `.v4` of a client in legacyMode is a plain object of promise methods.
  const isV4 = Object.getPrototypeOf(client) === Object.prototype;
  if (!('isOpen' in client) && !isV4) {
    return refuse('the legacy() object of node-redis', 'pass the client that it was made from');
  }
  if ((client as { options?: { legacyMode?: boolean } }).options?.legacyMode) {
    return refuse('a node-redis client in legacyMode', 'pass its `.v4`');
  }
  return nodeRedis(client as unknown as NodeRedisClient);
}
