/** node-redis 4, 5 and 6: client, cluster, pool and sentinel take keys and arguments in one object, strings only. */
import { systemClock } from '../clock.js';
import type { RedisAdapter } from './adapter.js';

/** The methods that the runtime calls. */
export interface NodeRedisClient {
  setNX(...args: never[]): unknown;
  eval(...args: never[]): unknown;
  evalSha(...args: never[]): unknown;
}

interface Call {
  keys: string[];
  arguments: string[];
}

interface Callable {
  isOpen?: boolean;
  eval(script: string, call: Call): Promise<unknown>;
  evalSha(sha: string, call: Call): Promise<unknown>;
}

export function nodeRedis(client: NodeRedisClient): RedisAdapter {
  const callable = client as unknown as Callable;
  return {
    library: 'node-redis',
    clock: systemClock,
    keyPrefix: '',
    // A command whose connection was lost is rejected, never sent again.
    connection: () => undefined,
    isClosed: () => callable.isOpen === false,
    eval: (script, keys, args) => callable.eval(script, { keys, arguments: args }),
    evalSha: (sha, keys, args) => callable.evalSha(sha, { keys, arguments: args }),
  };
}
