/** Time and timers, at one place: a store in memory brings a clock of its own. */

/** setTimeout takes at most 2^31 - 1 ms and fires at once for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Instant {
  /** Does not jump, but may stand still while a machine sleeps. */
  monotonic: number;
  /** Goes on while a machine sleeps. */
  wall: number;
}

export interface Timer {
  stop(): void;
}

interface TimerOptions {
  /** Keep the process alive until then; for a caller who awaits it. */
  awaited?: boolean;
}

export interface Clock {
  now(): Instant;
  /** Calls `fn` once, no sooner than in `ms` milliseconds. */
  startTimer(ms: number, fn: () => void, options?: TimerOptions): Timer;
}

/** The milliseconds from one instant to another, by the clock that saw more of them. */
export const passedMs = (from: Instant, to: Instant): number =>
  Math.max(to.monotonic - from.monotonic, to.wall - from.wall);

export const systemClock: Clock = {
  now: () => ({ monotonic: performance.now(), wall: Date.now() }),
  startTimer(ms, fn, { awaited = false } = {}) {
    let timer: NodeJS.Timeout;
    const start = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => {
        if (left > step) start(left - step);
        else fn();
      }, step);
      if (!awaited) timer.unref();
    };
    start(Math.max(0, Math.ceil(ms)));
    return {
      stop: () => {
        clearTimeout(timer);
      },
    };
  },
};

/** Resolves after `ms`, or at once when `signal` aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | null): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.stop();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.startTimer(ms, end, { awaited: true });
    signal?.addEventListener('abort', end);
  });
}

/** A timer that knows how late it is: what held it up has held up the whole process. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #start: Instant;
  readonly #timer: Timer;

  constructor(clock: Clock, ms: number, fn: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#start = clock.now();
    this.#timer = clock.startTimer(ms, fn);
  }

  lateMs(): number {
    return Math.max(0, passedMs(this.#start, this.#clock.now()) - this.#ms);
  }

  stop(): void {
    this.#timer.stop();
  }
}

/** Thrown by {@link bounded} when the time is over. */
export class TimeOver extends Error {
  constructor(ms: number) {
    super(`no answer within ${String(Math.round(ms))} ms`);
  }
}

/**
 * Waits for a command at most `ms`: a client's offline queue and retries must not hold a lease longer than it lasts.
 * The command goes on; `late` is called when it ends after all, whatever the end.
 */
export function bounded<T>(
  clock: Clock,
  command: Promise<T>,
  ms: number,
  late: () => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false;
    const timer = clock.startTimer(
      ms,
      () => {
        over = true;
        reject(new TimeOver(ms));
      },
      { awaited: true },
    );
    const end = (settle: () => void): void => {
      timer.stop();
      if (over) late();
      else settle();
    };
    command.then(
      (value) => {
        end(() => {
          resolve(value);
        });
      },
      (error: unknown) => {
        end(() => {
          reject(error instanceof Error ? error : new Error(String(error)));
        });
      },
    );
  });
}
