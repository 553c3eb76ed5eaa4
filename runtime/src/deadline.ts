/** The moment until which a lease can be trusted, whatever the network does. */
import { passedMs, type Clock, type Instant } from './clock.js';

/** The part of a TTL that is not trusted: clocks differ, a reply has to travel, and an abort has to be heard. */
const marginOf = (ttlMs: number): number => Math.max(25, ttlMs * 0.01);

/** Counted from before the command was sent: the server's TTL starts later. */
export class Deadline {
  readonly #clock: Clock;
  readonly #start: Instant;
  readonly #lastsMs: number;

  constructor(clock: Clock, start: Instant, ttlMs: number) {
    this.#clock = clock;
    this.#start = start;
    this.#lastsMs = ttlMs - marginOf(ttlMs);
  }

  /** The milliseconds left by the stricter of both clocks; 0 and less: over. */
  leftMs(at: Instant = this.#clock.now()): number {
    return this.#lastsMs - passedMs(this.#start, at);
  }

  isLaterThan(other: Deadline): boolean {
    const at = this.#clock.now();
    return this.leftMs(at) > other.leftMs(at);
  }
}
