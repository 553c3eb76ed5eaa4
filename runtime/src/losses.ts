/** Lost leases are heard: when nobody listens to them, a warning says so. */
import { channelOf, publish, type LockEvent, type Lost } from './events.js';

/** Subscribe with `node:diagnostics_channel`: each message is a {@link Lost}. */
export const LOST_CHANNEL = channelOf('lost');

const QUIET_MS = 60_000;
let losses = 0;
let warnedAt = -Infinity;

/** Publishes an event, and warns of losses that nobody hears. */
export function announce(event: LockEvent): void {
  if (event.type === 'lost') losses += 1;
  if (!publish(event) && event.type === 'lost') warn(event);
}

function warn({ key, reason, at }: Lost): void {
  if (performance.now() - warnedAt < QUIET_MS) return;
  warnedAt = performance.now();
  process.emitWarning(
    `The lease of "${key}" was lost (${reason}, found at the ${at}); ${String(losses)} lost so far. ` +
      `Another holder may have worked at the same time. Subscribe to the diagnostics channel "${LOST_CHANNEL}" to hear of each.`,
    { type: 'LockproofWarning', code: 'LOCKPROOF_LOST' },
  );
}
