/** One command each: the replies of the scripts as answers. */
import type { RedisAdapter } from './clients/adapter.js';
import { bounded } from './deadline.js';
import { ACQUIRE, RELEASE, RENEW, run } from './scripts.js';

export type ReleaseOutcome =
  | { released: true }
  | {
      released: false;
      /** `absent`: it had expired. `taken`: somebody else holds it. `unconfirmed`: Redis did not answer. */
      reason: 'absent' | 'taken' | 'unconfirmed';
    };

/** A key with its token, on a client. */
export interface Held {
  redis: RedisAdapter;
  key: string;
  token: string;
}

/** Sends the acquire. One that lands after `withinMs` is given back. */
export function sendAcquire(held: Held, ttlMs: number, withinMs: number): Promise<boolean> {
  const { redis, key, token } = held;
  const command = run(redis, ACQUIRE, key, [token, String(ttlMs)]).then((reply) => reply === 1);
  return bounded(command, withinMs, (taken) => {
    if (taken) giveBack(held);
  });
}

/** Renews: true for kept, a reason for a sure loss; rejects when nobody knows. */
export async function sendRenew(
  held: Held,
  ttlMs: number,
  withinMs: number,
): Promise<true | 'expired' | 'taken'> {
  const command = run(held.redis, RENEW, held.key, [held.token, String(ttlMs)]);
  const reply = await bounded(command, withinMs);
  if (reply === 1) return true;
  return reply === 0 ? 'taken' : 'expired';
}

/** Releases; never rejects. */
export async function sendRelease(held: Held, withinMs: number): Promise<ReleaseOutcome> {
  try {
    const reply = await bounded(run(held.redis, RELEASE, held.key, [held.token]), withinMs);
    if (reply === 1) return { released: true };
    return { released: false, reason: reply === 0 ? 'taken' : 'absent' };
  } catch {
    return { released: false, reason: 'unconfirmed' };
  }
}

/** Deletes an orphan of ours, should there be one; nobody waits for it. */
export function giveBack({ redis, key, token }: Held): void {
  run(redis, RELEASE, key, [token]).catch(() => undefined);
}
