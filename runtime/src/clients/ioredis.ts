/** ioredis 5 and 6 and iovalkey, single and Cluster. The library routes by KEYS[1] and puts its keyPrefix before it. */
import type { RedisAdapter } from './adapter.js';

/** The methods that the runtime calls. */
export interface IoredisClient {
  defineCommand(...args: never[]): unknown;
  eval(...args: never[]): unknown;
  evalsha(...args: never[]): unknown;
}

interface Callable {
  status?: string;
  eval(script: string, keys: number, ...rest: string[]): Promise<unknown>;
  evalsha(sha: string, keys: number, ...rest: string[]): Promise<unknown>;
}

export function ioredis(client: IoredisClient): RedisAdapter {
  const callable = client as unknown as Callable;
  return {
    library: 'ioredis',
    isClosed: () => callable.status === 'end',
    eval: (script, keys, args) => callable.eval(script, keys.length, ...keys, ...args),
    evalSha: (sha, keys, args) => callable.evalsha(sha, keys.length, ...keys, ...args),
  };
}
