/** Waiting for what the workbench does in its own time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the workbench may take for one thing, in milliseconds. A busy machine takes a few seconds for most. */
export const PATIENCE_MS = 45_000;

/**
 * Calls `probe` until it gives something truthy, and returns that.
 * @param what names the awaited thing in the error
 * @throws when nothing came within `timeoutMs`
 */
export async function poll<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = PATIENCE_MS,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await sleep(50);
  }
}

/** Whether a wait came to its end, for probes that try again. */
export async function succeeds(wait: Promise<unknown>): Promise<boolean> {
  return wait.then(
    () => true,
    () => false,
  );
}
