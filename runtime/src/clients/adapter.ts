import type { Clock } from '../clock.js';

/** All that the runtime asks of a client: to run a script. Nothing is defined on the user's object. */
export interface RedisAdapter {
  /** The library, as messages name it. */
  readonly library: string;
  readonly clock: Clock;
  /** What the client puts before every key. */
  readonly keyPrefix: string;
  /** Was the client closed, or never connected, so that no command can be sent? */
  isClosed(): boolean;
  /**
   * Something that is another one after a reconnect, for a client that sends commands again by itself; else undefined.
   * A script that was sent before and answered after may have run twice.
   */
  connection(): unknown;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
  evalSha(sha: string, keys: string[], args: string[]): Promise<unknown>;
}

/** A client that is none of a library, such as the store in memory, holds its adapter under this name. */
export const ADAPTER = Symbol.for('lockproof.adapter');
