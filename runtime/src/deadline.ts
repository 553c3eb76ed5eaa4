/** The moment until which a lease can be trusted, whatever the network does. */

/** setTimeout takes at most 2^31 - 1 ms and fires at once for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The part of a TTL that is not trusted: clocks differ, and a reply has to travel. */
const marginOf = (ttlMs: number): number => Math.max(25, ttlMs * 0.01);

export interface Instant {
  /** Does not jump, but may stand still while a machine sleeps. */
  monotonic: number;
  /** Goes on while a machine sleeps. */
  wall: number;
}

export const now = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });

/** Counted from before the command was sent: the server's TTL starts later. */
export class Deadline {
  readonly #start: Instant;
  readonly #lastsMs: number;

  constructor(start: Instant, ttlMs: number) {
    this.#start = start;
    this.#lastsMs = ttlMs - marginOf(ttlMs);
  }

  /** The milliseconds left by the stricter of both clocks; 0 and less: over. */
  leftMs(at: Instant = now()): number {
    const passed = Math.max(at.monotonic - this.#start.monotonic, at.wall - this.#start.wall);
    return this.#lastsMs - passed;
  }

  isLaterThan(other: Deadline): boolean {
    const at = now();
    return this.leftMs(at) > other.leftMs(at);
  }
}

/** A timer that keeps no process alive and may be longer than setTimeout allows. */
export function startTimer(ms: number, fn: () => void): { stop(): void } {
  let timer: NodeJS.Timeout;
  const start = (left: number): void => {
    const step = Math.min(left, LONGEST_TIMER_MS);
    timer = setTimeout(() => {
      if (left > step) start(left - step);
      else fn();
    }, step);
    timer.unref();
  };
  start(Math.max(0, Math.ceil(ms)));
  return {
    stop: () => {
      clearTimeout(timer);
    },
  };
}

/** Thrown by {@link bounded} when the time is over. */
export class TimeOver extends Error {
  constructor(ms: number) {
    super(`no answer within ${String(Math.round(ms))} ms`);
  }
}

/**
 * Waits for a command at most `ms`: a client's offline queue and retries must not hold a lease longer than it lasts.
 * The command goes on; what it answers later goes to `late`.
 */
export function bounded<T>(
  command: Promise<T>,
  ms: number,
  late: (value: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false;
    const timer = setTimeout(
      () => {
        over = true;
        reject(new TimeOver(ms));
      },
      Math.min(Math.max(0, ms), LONGEST_TIMER_MS),
    );
    command.then(
      (value) => {
        clearTimeout(timer);
        if (over) late(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
