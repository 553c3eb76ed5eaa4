/** Waiting for a lock that somebody else holds: polls with jitter, at most 250 ms apart. */
import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_POLL_MS = 20;
const LONGEST_POLL_MS = 250;

/**
 * Asks again and again until `attempt` answers something.
 *
 * @param waitMs how long to go on, in milliseconds
 * @returns null when the time is over
 * @throws the reason of `signal` when it aborts
 */
export async function waitFor<T>(
  attempt: () => Promise<T | null>,
  waitMs: number,
  signal: AbortSignal | null,
): Promise<T | null> {
  const end = performance.now() + waitMs;
  for (let pollMs = SHORTEST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
    signal?.throwIfAborted();
    const answer = await attempt();
    if (answer !== null) return answer;
    const left = end - performance.now();
    if (left <= 0) return null;
    const pause = Math.min(left, pollMs * (0.5 + Math.random() / 2));
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => {
      signal?.throwIfAborted();
    });
  }
}
