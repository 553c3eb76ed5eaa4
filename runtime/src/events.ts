/** What happens to locks, as data: counted by their owner, published for everybody else. */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LossCause } from './errors.js';

/** The lock was taken. */
export interface Acquired {
  type: 'acquired';
  key: string;
  ttlMs: number;
  /** From the call to the answer, in milliseconds. */
  waitMs: number;
  /** How often Redis was asked. */
  attempts: number;
}

/** Somebody else holds the lock, and the time to wait is over. */
export interface Busy {
  type: 'busy';
  key: string;
  waitMs: number;
  attempts: number;
}

/** Redis refused, did not answer in time, or the caller gave up. */
export interface Failed {
  type: 'failed';
  key: string;
  waitMs: number;
  error: unknown;
}

/** A renewal was confirmed. */
export interface Renewed {
  type: 'renewed';
  key: string;
  ttlMs: number;
  /** From sending to the answer, in milliseconds. */
  roundTripMs: number;
}

/** A renewal was not confirmed; the lease is held until its deadline. */
export interface RenewalFailed {
  type: 'renewal-failed';
  key: string;
  error: unknown;
}

/** The holder gave the lock back; also when it came late. */
export interface Released {
  type: 'released';
  key: string;
  ttlMs: number;
  outcome: 'released' | 'absent' | 'taken' | 'unconfirmed';
  /** From taking the lock to the call of release, in milliseconds. */
  holdMs: number;
  /** From sending the release to its answer, in milliseconds. */
  roundTripMs: number;
  /** The lease had been lost before. */
  late: boolean;
}

/** A lease was lost: another holder may have worked at the same time. */
export interface Lost {
  type: 'lost';
  key: string;
  reason: LossCause;
  /** When it was found. */
  at: 'renewal' | 'deadline' | 'release';
  /** From taking the lock to finding the loss, in milliseconds; null for code that keeps its own token. */
  holdMs: number | null;
  /** How long the process had stood still, in milliseconds. */
  stalledMs: number;
}

/** The work of a `withLock` has ended, well or not. */
export interface Worked {
  type: 'worked';
  key: string;
  workMs: number;
}

export type LockEvent = Acquired | Busy | Failed | Renewed | RenewalFailed | Released | Lost | Worked;

export type Observe = (event: LockEvent) => void;

/** The name of the `node:diagnostics_channel` that carries the events of a type. */
export const channelOf = (type: LockEvent['type']): string => `lockproof:${type}`;

const TYPES = [
  'acquired',
  'busy',
  'failed',
  'renewed',
  'renewal-failed',
  'released',
  'lost',
  'worked',
] as const satisfies readonly LockEvent['type'][];

const channels = Object.fromEntries(TYPES.map((type) => [type, channel(channelOf(type))])) as Record<
  LockEvent['type'],
  ReturnType<typeof channel>
>;

/** Publishes an event on its channel; answers whether anybody listens. */
export function publish(event: LockEvent): boolean {
  const target = channels[event.type];
  if (target.hasSubscribers) target.publish(event);
  return target.hasSubscribers;
}

/**
 * Calls `observe` with each event of all locks of this process.
 *
 * @returns ends it
 */
export function listen(observe: Observe): () => void {
  const hear = (event: unknown): void => {
    observe(event as LockEvent);
  };
  for (const type of TYPES) subscribe(channelOf(type), hear);
  return () => {
    for (const type of TYPES) unsubscribe(channelOf(type), hear);
  };
}
