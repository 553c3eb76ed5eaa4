import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds; fails after a while that no machine needs. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not so after 10 s: ${what}`);
    await sleep(10);
  }
}
