/** Lost leases are heard: counted, published, and warned of when nobody listens. */
import { channel } from 'node:diagnostics_channel';
import type { LossCause } from './errors.js';

export interface Loss {
  key: string;
  reason: LossCause;
  /** When the loss was found. */
  at: 'renewal' | 'deadline' | 'release';
}

/** Subscribe with `node:diagnostics_channel`: each message is a {@link Loss}. */
export const LOST_CHANNEL = 'lockproof:lost';

const QUIET_MS = 60_000;
const lost = channel(LOST_CHANNEL);
let losses = 0;
let warnedAt = -Infinity;

export function publishLoss(loss: Loss): void {
  losses += 1;
  if (lost.hasSubscribers) {
    lost.publish(loss);
    return;
  }
  if (performance.now() - warnedAt < QUIET_MS) return;
  warnedAt = performance.now();
  process.emitWarning(
    `The lease of "${loss.key}" was lost (${loss.reason}, found at the ${loss.at}); ${String(losses)} lost so far. ` +
      `Another holder may have worked at the same time. Subscribe to the diagnostics channel "${LOST_CHANNEL}" to hear of each.`,
    { type: 'LockproofWarning', code: 'LOCKPROOF_LOST' },
  );
}
