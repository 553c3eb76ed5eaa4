/** One acquisition: asks Redis once, and tells a sure failure from an open one. */
import { wrongType, type CheckedOptions } from './arguments.js';
import type { RedisAdapter } from './clients/adapter.js';
import { TimeOver } from './clock.js';
import { companionOf } from './companion.js';
import { giveBack, sendAcquire, sendRelease, type Held } from './commands.js';
import { Deadline } from './deadline.js';
import { LockUnavailableError, LockUnknownError } from './errors.js';
import type { Taken } from './lease.js';
import { ClientClosed } from './scripts.js';
import { newToken } from './token.js';

/** A lease that starts with less of its TTL than this is of no use: its acquire took too long. */
const LEAST_PART = 1 / 10;
const MOST_TRIES = 2;
/** A waiter whose time is nearly over still gives its last question time for a round trip. */
const SHORTEST_ASK_MS = 250;

/** The companion key, or null for a lock without a fence. */
function fenceKeyOf(redis: RedisAdapter, key: string, fence: boolean): string | null {
  if (!fence) return null;
  const companion = companionOf(key, redis.keyPrefix);
  if (companion !== null) return companion;
  const whole = redis.keyPrefix + key;
  return wrongType(
    `key ${JSON.stringify(whole)} has a brace that is no hash tag, so its fence could not share its Cluster slot: ` +
      'use a key without braces or with a whole {tag}, or leave out fence: true',
  );
}

/**
 * Asks once, with a token of its own; a lease that came too late to be of use is given back and asked for again.
 *
 * @param leftMs how long the caller waits; Infinity for one that asks once
 * @returns null when somebody else holds the lock
 * @throws LockUnavailableError when it was surely not taken, LockUnknownError when nobody knows
 */
export async function ask(
  redis: RedisAdapter,
  key: string,
  options: CheckedOptions,
  leftMs: number,
): Promise<Taken | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await askOnce(redis, key, options, leftMs);
    if (answer !== 'too late') return answer;
  }
  const cause = new Error(`the answer took nearly the whole TTL of ${String(options.ttlMs)} ms`);
  throw new LockUnknownError(key, 'take', cause);
}

async function askOnce(
  redis: RedisAdapter,
  key: string,
  { ttlMs, renew, fence, maxHoldMs }: CheckedOptions,
  leftMs: number,
): Promise<Taken | null | 'too late'> {
  const held: Held = { redis, key, token: newToken(), companion: fenceKeyOf(redis, key, fence) };
  const start = redis.clock.now();
  const deadline = new Deadline(redis.clock, start, ttlMs);
  const withinMs = Math.min(deadline.leftMs(start), Math.max(leftMs, SHORTEST_ASK_MS));
  const minted = await sendAcquire(held, ttlMs, withinMs).catch((error: unknown) => {
    throw failure(held, error);
  });
  if (minted === null) return null;
  if (deadline.leftMs() < ttlMs * LEAST_PART) {
    // Its end is awaited: the next question must not meet our own lock.
    await sendRelease(held, ttlMs);
    return 'too late';
  }
  return { held, ttlMs, start, fence: minted, renew, maxHoldMs };
}

/** Errors that a client or a server answers before anything was written. */
const SURELY_NOT =
  /connection is closed|isn't writeable|none of startup nodes|NOPERM|NOAUTH|WRONGTYPE|READONLY|unknown command|OOM|MISCONF|LOADING|CLUSTERDOWN|CROSSSLOT|offline/i;

/** Gives back what may have been taken. */
function failure(held: Held, error: unknown): LockUnavailableError | LockUnknownError {
  const { key, companion } = held;
  if (error instanceof ClientClosed) return new LockUnavailableError(key, 'take', error);
  // The acquire is still under way: it is given back when it lands.
  if (error instanceof TimeOver) return new LockUnknownError(key, 'take', error);
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  if (text.includes('NOPERM') && companion !== null) {
    const hint = `its fence is kept in "${companion}", which the ACL must allow, too`;
    return new LockUnavailableError(key, 'take', new Error(`${text} (${hint})`, { cause: error }));
  }
  if (SURELY_NOT.test(text)) return new LockUnavailableError(key, 'take', error);
  giveBack(held);
  return new LockUnknownError(key, 'take', error);
}
