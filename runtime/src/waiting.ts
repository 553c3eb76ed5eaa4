/** Waiting for a lock that somebody else holds: polls with jitter, at most 250 ms apart. */
import { passedMs, sleep, type Clock } from './clock.js';

const SHORTEST_POLL_MS = 20;
const LONGEST_POLL_MS = 250;

/**
 * Asks again and again until `attempt` answers something.
 *
 * @param waitMs how long to go on, in milliseconds
 * @param signal ends a pause when it aborts; `attempt` then throws
 * @param attempt gets the milliseconds that are left
 * @returns null when the time is over
 */
export async function waitFor<T>(
  clock: Clock,
  waitMs: number,
  signal: AbortSignal | null,
  attempt: (leftMs: number) => Promise<T | null>,
): Promise<T | null> {
  const start = clock.now();
  let left = waitMs;
  for (let pollMs = SHORTEST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
    const answer = await attempt(left);
    left = waitMs - passedMs(start, clock.now());
    if (answer !== null || left <= 0) return answer;
    await sleep(clock, Math.min(left, pollMs * (0.5 + Math.random() / 2)), signal);
  }
}
