/** Time that passes when a test says so. */
import { setImmediate as turn } from 'node:timers/promises';
import { wrongType, show } from '../../arguments.js';
import type { Clock, Instant, Timer } from '../../clock.js';

interface Due {
  atMs: number;
  fn: () => void;
}

/** A clock that stands still until `advance` moves it. */
export class VirtualClock implements Clock {
  #nowMs = 0;
  #timers = new Set<Due>();

  /** The milliseconds that have passed since the clock was made. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** @internal Asked by the runtime. */
  now(): Instant {
    return { monotonic: this.#nowMs, wall: this.#nowMs };
  }

  /** @internal Asked by the runtime. */
  startTimer(ms: number, fn: () => void): Timer {
    const due = { atMs: this.#nowMs + Math.max(0, Math.ceil(ms)), fn };
    this.#timers.add(due);
    return {
      stop: () => {
        this.#timers.delete(due);
      },
    };
  }

  /**
   * Lets time pass: runs the timers that become due, in order, and lets promises settle before and after each.
   *
   * @param ms how much, in milliseconds; 0 only lets promises settle
   */
  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + checkMs(ms);
    await turn();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.fn();
      await turn();
    }
    this.#nowMs = end;
  }

  /**
   * Lets time pass while the process stands still: no timer runs. Those that became due meanwhile run at the next `advance`.
   *
   * @param ms how long, in milliseconds
   */
  standStill(ms: number): void {
    this.#nowMs += checkMs(ms);
  }

  /** The timer that is due first, by its time and then by its start. */
  #next(endMs: number): Due | null {
    let first: Due | null = null;
    for (const due of this.#timers) {
      if (due.atMs <= endMs && (!first || due.atMs < first.atMs)) first = due;
    }
    return first;
  }
}

function checkMs(ms: unknown): number {
  if (typeof ms === 'number' && ms >= 0 && ms < Infinity) return ms;
  return wrongType(`ms must be a number of milliseconds from 0 on, got ${show(ms)}`);
}
