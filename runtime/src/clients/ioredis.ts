/** ioredis 5 and 6 and iovalkey, single and Cluster. The library routes by KEYS[1] and puts its keyPrefix before each key. */
import { systemClock } from '../clock.js';
import type { RedisAdapter } from './adapter.js';

/** The methods that the runtime calls. */
export interface IoredisClient {
  defineCommand(...args: never[]): unknown;
  eval(...args: never[]): unknown;
  evalsha(...args: never[]): unknown;
}

interface Pipeline {
  evalsha(sha: string, keys: number, ...rest: string[]): Pipeline;
  exec(): Promise<[Error | null, unknown][] | null>;
}

interface Callable {
  status?: string;
  stream?: unknown;
  isCluster?: boolean;
  options?: { keyPrefix?: string; enableAutoPipelining?: boolean };
  pipeline(): Pipeline;
  eval(script: string, keys: number, ...rest: string[]): Promise<unknown>;
  evalsha(sha: string, keys: number, ...rest: string[]): Promise<unknown>;
}

export function ioredis(client: IoredisClient): RedisAdapter {
  const callable = client as unknown as Callable;
  const evalSha = (sha: string, keys: string[], args: string[]): Promise<unknown> =>
    callable.evalsha(sha, keys.length, ...keys, ...args);
  // A Cluster's pipeline must stay within one node, and auto-pipelining does the same by itself.
  const single = callable.isCluster !== true && callable.options?.enableAutoPipelining !== true;
  return {
    library: 'ioredis',
    clock: systemClock,
    keyPrefix: callable.options?.keyPrefix ?? '',
    isClosed: () => callable.status === 'end',
    connection: () => callable.stream,
    eval: (script, keys, args) => callable.eval(script, keys.length, ...keys, ...args),
    evalSha: single ? inOneWrite(callable, evalSha) : evalSha,
  };
}

interface Waiting {
  call: [sha: string, keys: string[], args: string[]];
  resolve: (reply: unknown) => void;
  reject: (error: unknown) => void;
}

/** Scripts of one turn of the event loop share a pipeline, which is one write to the socket. */
function inOneWrite(client: Callable, alone: RedisAdapter['evalSha']): RedisAdapter['evalSha'] {
  let sent = false;
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    sent = false;
    const [first] = batch;
    if (!first) return;
    if (batch.length === 1) {
      alone(...first.call).then(first.resolve, first.reject);
      return;
    }
    const pipeline = client.pipeline();
    for (const { call } of batch) pipeline.evalsha(call[0], call[1].length, ...call[1], ...call[2]);
    pipeline.exec().then(
      (replies) => {
        batch.forEach(({ resolve, reject }, i) => {
          const [error, reply] = replies?.[i] ?? [new Error('no reply'), null];
          if (error) reject(error);
          else resolve(reply);
        });
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };
  return (...call) => {
    if (sent) {
      return new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject });
      });
    }
    // The first goes at once: alone it needs no batch, and its stack still names the caller.
    sent = true;
    process.nextTick(flush);
    return alone(...call);
  };
}
