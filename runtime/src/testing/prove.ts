/** Runs every timeline that fits against somebody's own lock functions. */
import { randomUUID } from 'node:crypto';
import { checkTtl, show, wrongType } from '../arguments.js';
import type { VirtualClock } from './memory/virtual-clock.js';
import {
  runTimeline,
  type LockUnderTest,
  type ObservedStep,
  type Observer,
  type TimelineReport,
} from './run.js';
import { timelines, type Timeline } from './timelines.js';

/** The functions under test. Each is called as the code that uses the lock calls it. */
export interface LockFunctions<Handle = unknown> {
  /**
   * Asks once for the lock.
   *
   * @returns what release and renew need, such as the token; null, undefined or false when the lock is busy. An error counts
   *   as busy, too
   */
  acquire(key: string): Promise<Handle | null | undefined | false>;
  /**
   * Gives the lock back.
   *
   * @returns whether it did: `true`, a number above 0, `'OK'` or `{ released: true }`. An error counts as a refusal
   */
  release(key: string, handle: Handle): Promise<unknown>;
  /**
   * Extends the lock by its TTL.
   *
   * @returns whether it did, as `release`
   */
  renew?(key: string, handle: Handle): Promise<unknown>;
}

export interface ProofOptions {
  /** A client that looks at the keys: ioredis, node-redis or the `InMemoryRedis` under test. */
  observer: Observer;
  /** The TTL that the functions set, in milliseconds. Each timeline with a pause lasts that long; 500 is a good one. */
  ttlMs: number;
  /** The key as Redis has it, for functions that put something before the one they are given. */
  redisKey?: (key: string) => string;
  /** The clock of an `InMemoryRedis`: nothing waits. */
  clock?: VirtualClock;
  /** Which timelines to run; all by default. */
  timelines?: readonly Timeline[];
}

/** What became of one timeline. */
export type TimelineProof =
  | { verdict: 'held'; timeline: Timeline; report: TimelineReport }
  | {
      verdict: 'broken';
      timeline: Timeline;
      report: TimelineReport;
      /** The steps that went otherwise than a right lock makes them go. */
      brokenBy: readonly ObservedStep[];
      /** What the functions threw meanwhile. */
      errors: readonly unknown[];
    }
  | { verdict: 'not applicable'; timeline: Timeline; reason: string };

export interface ProofReport {
  /** Was no timeline broken? */
  held: boolean;
  timelines: readonly TimelineProof[];
}

/**
 * Proves lock functions: runs each timeline on a key of its own, one after the other, and releases what is held at its end.
 * Functions run from their call to their answer: the gap of a release that reads, compares and then deletes is not reached.
 *
 * @throws TypeError when a function or an option is missing; what the observer throws
 */
export async function proveLock<Handle>(
  lock: LockFunctions<Handle>,
  options: ProofOptions,
): Promise<ProofReport> {
  check(lock, options);
  const proofs: TimelineProof[] = [];
  for (const timeline of options.timelines ?? timelines) {
    const reason = whyNot(timeline, lock.renew !== undefined, options.observer);
    proofs.push(
      reason === null
        ? await prove(timeline, lock, options)
        : { verdict: 'not applicable', timeline, reason },
    );
  }
  return { held: proofs.every(({ verdict }) => verdict !== 'broken'), timelines: proofs };
}

function check(lock: unknown, options: unknown): void {
  for (const name of ['acquire', 'release'] as const) {
    const given = (lock as Partial<LockFunctions> | null | undefined)?.[name];
    if (typeof given !== 'function') wrongType(`${name} must be a function, got ${show(given)}`);
  }
  const { observer, ttlMs } = (options ?? {}) as Partial<ProofOptions>;
  if (typeof observer?.get !== 'function') {
    wrongType(`observer must be a client with get, such as new Redis(), got ${show(observer)}`);
  }
  checkTtl(ttlMs);
}

function whyNot(timeline: Timeline, renews: boolean, observer: Observer): string | null {
  if (timeline.needs?.includes('renew') && !renews) return 'no renew was given';
  if (timeline.needs?.includes('pttl') && !observer.pttl && !observer.pTTL) {
    return 'the observer has no pttl to look at the TTL with';
  }
  return null;
}

async function prove<Handle>(
  timeline: Timeline,
  lock: LockFunctions<Handle>,
  { observer, ttlMs, redisKey, clock }: ProofOptions,
): Promise<TimelineProof> {
  const name = `lockproof:${timeline.name}:${randomUUID()}`;
  const key = redisKey?.(name) ?? name;
  const errors: unknown[] = [];
  const { underTest, end } = onKey(lock, name, errors);
  const report = await runTimeline(timeline, { observer, key, ttlMs, lock: underTest, clock });
  await end();
  const brokenBy = report.steps.filter(({ ok }) => !ok);
  if (brokenBy.length > 0) return { verdict: 'broken', timeline, report, brokenBy, errors };
  const mute = report.steps.some(
    ({ step, reply }) => step.what === 'release' && step.expected === 'refused' && reply === undefined,
  );
  if (mute) {
    const reason = 'release answers nothing, so its caller cannot tell a late one';
    return { verdict: 'not applicable', timeline, reason };
  }
  return { verdict: 'held', timeline, report };
}

/** The functions on one key: their errors are answers, and what they hold can be released at the end. */
function onKey<Handle>(
  lock: LockFunctions<Handle>,
  key: string,
  errors: unknown[],
): { underTest: LockUnderTest<Handle>; end: () => Promise<void> } {
  const held = new Set<Handle>();
  const answerOf = async <T>(act: () => Promise<T>): Promise<T | Error> => {
    try {
      return await act();
    } catch (error) {
      errors.push(error);
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const release = (handle: Handle): Promise<unknown> => {
    held.delete(handle);
    return answerOf(() => lock.release(key, handle));
  };
  const underTest: LockUnderTest<Handle> = {
    async acquire() {
      const handle = await answerOf(() => lock.acquire(key));
      if (handle === null || handle === undefined || handle === false || handle instanceof Error) return null;
      held.add(handle);
      return handle;
    },
    release,
    renew: (handle) => answerOf(async () => lock.renew?.(key, handle)),
  };
  const end = async (): Promise<void> => {
    for (const handle of held) await release(handle);
  };
  return { underTest, end };
}
