/** One command each: the replies of the scripts as answers. */
import type { RedisAdapter } from './clients/adapter.js';
import { bounded } from './clock.js';
import { ACQUIRE, RELEASE, RENEW, run } from './scripts.js';

export type ReleaseOutcome =
  | { released: true }
  | {
      released: false;
      /** `absent`: it had expired. `taken`: somebody else holds it. `unconfirmed`: Redis did not answer. */
      reason: 'absent' | 'taken' | 'unconfirmed';
    };

/** Why a lease was lost, by the answer to its release; null when it was not, or when nobody knows. */
export function lossOf(outcome: ReleaseOutcome): 'expired' | 'taken' | null {
  if (outcome.released || outcome.reason === 'unconfirmed') return null;
  return outcome.reason === 'taken' ? 'taken' : 'expired';
}

/** A key with its token, on a client. */
export interface Held {
  redis: RedisAdapter;
  key: string;
  token: string;
  /** The key that remembers the fence and the last release; null for a lock without a fence. */
  companion: string | null;
}

/** How long a companion outlives its lock: the server's clock takes over where it is gone. */
const REMEMBER_MS = 24 * 3_600_000;
/** When an orphan is looked for again: its acquire may land after the first look. */
const LOOK_AGAIN_MS = 500;

/** Sends the acquire: null when somebody else holds the lock, else the fence (1 without one). One that lands late is given back. */
export async function sendAcquire(held: Held, ttlMs: number, withinMs: number): Promise<number | null> {
  const { redis, token, companion } = held;
  const args = [token, String(ttlMs)];
  if (companion !== null) args.push(String(Math.max(REMEMBER_MS, 10 * ttlMs)));
  const reply = await bounded(redis.clock, run(redis, ACQUIRE, keysOf(held), args), withinMs, () => {
    giveBack(held);
  });
  return reply === 0 ? null : reply;
}

/** Renews: true for kept, a reason for a sure loss; rejects when nobody knows. */
export async function sendRenew(
  { redis, key, token }: Held,
  ttlMs: number,
  withinMs: number,
): Promise<true | 'expired' | 'taken'> {
  const reply = await bounded(redis.clock, run(redis, RENEW, [key], [token, String(ttlMs)]), withinMs);
  if (reply === 1) return true;
  return reply === 0 ? 'taken' : 'expired';
}

/** Releases; never rejects. */
export async function sendRelease(held: Held, withinMs: number): Promise<ReleaseOutcome> {
  const { redis } = held;
  const connection = redis.connection();
  try {
    const reply = await bounded(redis.clock, runRelease(held), withinMs);
    if (reply === 1) return { released: true };
    // Without a companion, a release that was sent twice finds nothing to release the second time.
    const sentTwice = held.companion === null && redis.connection() !== connection;
    if (sentTwice) return { released: false, reason: 'unconfirmed' };
    return { released: false, reason: reply === 0 ? 'taken' : 'absent' };
  } catch {
    return { released: false, reason: 'unconfirmed' };
  }
}

const runRelease = (held: Held): Promise<number> => run(held.redis, RELEASE, keysOf(held), [held.token]);

const keysOf = ({ key, companion }: Held): string[] => (companion === null ? [key] : [key, companion]);

/** Deletes an orphan of ours, should there be one, now and once more; nobody waits for it. */
export function giveBack(held: Held): void {
  const look = (): void => {
    runRelease(held).catch(() => undefined);
  };
  look();
  held.redis.clock.startTimer(LOOK_AGAIN_MS, look);
}
