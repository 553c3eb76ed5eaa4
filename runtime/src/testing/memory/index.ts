/** A Redis in memory that knows what locks need, for tests that must neither wait nor start a server. */
import { createHash } from 'node:crypto';
import { checkKey, checkTtl } from '../../arguments.js';
import { ADAPTER, type RedisAdapter } from '../../clients/adapter.js';
import { systemClock, type Clock } from '../../clock.js';
import { runScript } from './scripts.js';
import { Store } from './store.js';
import { VirtualClock } from './virtual-clock.js';

export interface InMemoryRedisOptions {
  /**
   * The time of the keys and of every lock on them: a `VirtualClock`, or `'system'` for real time. The default is a virtual
   * clock of its own.
   */
  clock?: VirtualClock | 'system';
}

/**
 * Pass it to `createLocks` and the functional forms in place of a client. It keeps keys of one process: it proves what code
 * does with its locks, not that they exclude another process.
 */
export class InMemoryRedis {
  /** @internal The runtime finds it here. */
  readonly [ADAPTER]: RedisAdapter;
  readonly #clock: Clock;
  readonly #virtual: VirtualClock | null;
  readonly #store: Store;
  #closed = false;

  constructor({ clock = new VirtualClock() }: InMemoryRedisOptions = {}) {
    this.#virtual = clock === 'system' ? null : clock;
    this.#clock = clock === 'system' ? systemClock : clock;
    this.#store = new Store(() => this.#clock.now().monotonic);
    const evalSha = (sha: string, keys: string[], args: string[]): Promise<unknown> =>
      this.#answer(() => {
        const call = { store: this.#store, keys, args, nowMs: this.#clock.now().wall };
        return runScript(sha, call);
      });
    this[ADAPTER] = {
      library: 'InMemoryRedis',
      clock: this.#clock,
      keyPrefix: '',
      isClosed: () => this.#closed,
      connection: () => undefined,
      evalSha,
      eval: (script, keys, args) => evalSha(createHash('sha1').update(script).digest('hex'), keys, args),
    };
  }

  /** The virtual clock: `await redis.clock.advance(1_000)`. Throws for a store on real time. */
  get clock(): VirtualClock {
    if (this.#virtual) return this.#virtual;
    throw new Error('this InMemoryRedis was made with { clock: "system" }: it has no clock to move');
  }

  /** The value of a key; null when there is none. */
  get(key: string): Promise<string | null> {
    return this.#answer(() => this.#store.get(checkKey(key)));
  }

  /** The milliseconds that a key has left; -2 when there is none. */
  pttl(key: string): Promise<number> {
    return this.#answer(() => this.#store.pttl(checkKey(key)));
  }

  /** Sets a key, whatever it held: somebody else, who takes it. */
  set(key: string, value: string, ttlMs: number): Promise<void> {
    return this.#answer(() => {
      this.#store.set(checkKey(key), value, checkTtl(ttlMs));
    });
  }

  /** Deletes a key; true when there was one. */
  del(key: string): Promise<boolean> {
    return this.#answer(() => this.#store.delete(checkKey(key)));
  }

  /** Answers nothing any more: locks on it become unavailable. */
  close(): void {
    this.#closed = true;
  }

  async #answer<T>(act: () => T): Promise<T> {
    await Promise.resolve();
    if (this.#closed) throw new Error('Connection is closed.');
    return act();
  }
}
