/** Runs a timeline against somebody's lock functions on a real Redis, and reports what was observed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualClock } from './memory/virtual-clock.js';
import type { Actor, Step, Timeline } from './timelines.js';

/** The connection that observes the key: any client will do. */
export interface Observer {
  get(key: string): Promise<unknown>;
  /** For the timelines that look at the TTL, as ioredis names it. */
  pttl?(key: string): Promise<number>;
  /** The same, as node-redis names it. */
  pTTL?(key: string): Promise<number>;
}

/** The lock functions under test. */
export interface LockUnderTest<Handle = unknown> {
  /** Asks for the lock; null when it is busy. */
  acquire(who: Actor): Promise<Handle | null>;
  release(handle: Handle, who: Actor): Promise<unknown>;
  /** For the timelines that renew. */
  renew?(handle: Handle, who: Actor): Promise<unknown>;
}

export interface RunOptions<Handle> {
  observer: Observer;
  /** The key as the observer reads it. */
  key: string;
  /** The TTL that the functions under test set, in milliseconds. */
  ttlMs: number;
  lock: LockUnderTest<Handle>;
  /** The clock of an `InMemoryRedis`: the timeline moves it instead of waiting. */
  clock?: VirtualClock | undefined;
}

export interface ObservedStep {
  step: Step;
  /** Milliseconds since the timeline began, as measured. */
  atMs: number;
  /** In words of the step's `expected`. */
  observed: string;
  /** What the function answered, or what the key held. */
  reply: unknown;
  ok: boolean;
}

export interface TimelineReport {
  timeline: Timeline;
  key: string;
  ttlMs: number;
  /** Did every step go as a right lock makes it go? */
  held: boolean;
  /** The first step that did not. */
  brokenBy: ObservedStep | null;
  steps: readonly ObservedStep[];
}

/** How much longer than its TTL a key may live before the timeline gives up on it. */
const PATIENCE_MS = 5_000;
/** How much of the TTL passes before a renewal, so that it shows. */
const BEFORE_RENEWAL = 0.4;
/** What clocks and rounding may add to a TTL. */
const TTL_SLACK = 1.05;

/** Time as it passes, or as the timeline lets it pass. */
interface Time {
  nowMs(): number;
  passes(ms: number): Promise<void>;
}

const timeOf = (clock: VirtualClock | undefined): Time =>
  clock
    ? { nowMs: () => clock.nowMs, passes: (ms) => clock.advance(ms) }
    : { nowMs: () => performance.now(), passes: (ms) => sleep(ms) };

/** The milliseconds that the key has left, as PTTL answers; null for an observer that cannot tell. */
async function leftMs(observer: Observer, key: string): Promise<number | null> {
  if (observer.pttl) return observer.pttl(key);
  return observer.pTTL ? observer.pTTL(key) : null;
}

/**
 * Does an answer say that the release or renewal went well? `true`, a number above 0, `'OK'` and an object do, unless the
 * object is an error or says `released: false`.
 */
function saysSuccess(reply: unknown): boolean {
  if (typeof reply !== 'object' || reply === null) {
    return reply === true || reply === 'OK' || (typeof reply === 'number' && reply > 0);
  }
  return !(reply instanceof Error) && !('released' in reply && reply.released === false);
}

/**
 * Runs all steps, also after one that broke, and waits for every function under test to end.
 *
 * @throws the error of an acquire or release under test
 */
export async function runTimeline<Handle>(
  timeline: Timeline,
  options: RunOptions<Handle>,
): Promise<TimelineReport> {
  const { observer, key, ttlMs, lock } = options;
  const time = timeOf(options.clock);
  const began = time.nowMs();
  const handles = new Map<Actor, Handle>();
  const values = new Map<Actor, unknown>();
  const steps: ObservedStep[] = [];

  const play = async (step: Step): Promise<{ observed: string; reply: unknown }> => {
    switch (step.what) {
      case 'acquire': {
        const handle = await lock.acquire(step.who);
        if (handle === null) return { observed: 'busy', reply: null };
        handles.set(step.who, handle);
        values.set(step.who, await observer.get(key));
        return { observed: 'taken', reply: handle };
      }
      case 'pause': {
        const gone = await expires(options, time);
        return { observed: gone ? 'expired' : 'kept', reply: null };
      }
      case 'release': {
        const handle = handles.get(step.who);
        handles.delete(step.who);
        const reply = handle === undefined ? null : await lock.release(handle, step.who);
        if (step.expected === 'ended') return { observed: 'ended', reply };
        return { observed: saysSuccess(reply) ? 'released' : 'refused', reply };
      }
      case 'renew': {
        await time.passes(ttlMs * BEFORE_RENEWAL);
        const handle = handles.get(step.who);
        const before = lifeMs(await leftMs(observer, key));
        const reply = handle === undefined ? null : await lock.renew?.(handle, step.who);
        const grew = lifeMs(await leftMs(observer, key)) > before;
        if (grew) return { observed: 'extended', reply };
        return { observed: saysSuccess(reply) ? 'renewed, as it answers' : 'refused', reply };
      }
      case 'race': {
        const [a, b] = await Promise.all([lock.acquire('A'), lock.acquire('B')]);
        if (a !== null) handles.set('A', a);
        if (b !== null) handles.set('B', b);
        return { observed: ['none', 'one', 'both'][handles.size] ?? '', reply: [a, b] };
      }
      case 'ttl': {
        const reply = await leftMs(observer, key);
        return { observed: ttlText(reply, ttlMs), reply };
      }
      case 'values': {
        const reply = [values.get('A'), values.get('B')];
        return { observed: reply[0] === reply[1] ? 'the same' : 'different', reply };
      }
      case 'check': {
        const reply = await observer.get(key);
        return { observed: ownerOf(reply, values), reply };
      }
    }
  };

  for (const step of timeline.steps) {
    const { observed, reply } = await play(step);
    steps.push({ step, atMs: time.nowMs() - began, observed, reply, ok: observed === step.expected });
  }
  const brokenBy = steps.find((step) => !step.ok) ?? null;
  return { timeline, key, ttlMs, held: brokenBy === null, brokenBy, steps };
}

/** Whose value is it? With one value for all acquisitions the key is the last one's who took it. */
function ownerOf(value: unknown, values: ReadonlyMap<Actor, unknown>): Actor | 'nobody' {
  if (value === null || value === undefined) return 'nobody';
  return values.get('B') === value ? 'B' : 'A';
}

/** What PTTL answers as a number to compare: a key without a TTL lives for ever. */
const lifeMs = (left: number | null): number => (left === -1 ? Infinity : (left ?? 0));

function ttlText(left: number | null, ttlMs: number): string {
  if (left === null || left < 0) return 'none';
  return left <= ttlMs * TTL_SLACK ? 'limited' : 'longer than given';
}

async function expires(
  { observer, key, ttlMs }: Omit<RunOptions<never>, 'lock'>,
  time: Time,
): Promise<boolean> {
  await time.passes(ttlMs);
  const end = time.nowMs() + PATIENCE_MS;
  while (time.nowMs() < end) {
    if ((await observer.get(key)) === null) return true;
    // Without a TTL it stays for ever.
    if ((await leftMs(observer, key)) === -1) return false;
    await time.passes(10);
  }
  return false;
}

/** Runs the work it is given while it holds the lock, as user code is mostly written. */
export type Section = (work: () => Promise<void>, who: Actor) => Promise<unknown>;

interface Entered {
  leave: () => void;
  ended: Promise<unknown>;
}

/** Makes acquire and release of a critical section: acquired once its work has begun, released when the section has ended. */
export function fromSection(section: Section): LockUnderTest<Entered> {
  return {
    acquire: (who) =>
      new Promise((resolve, reject) => {
        const work = (): Promise<void> =>
          new Promise((leave) => {
            resolve({ leave, ended });
          });
        const ended = Promise.resolve().then(() => section(work, who));
        // A section that ends without its work was refused.
        ended.then(() => {
          resolve(null);
        }, reject);
      }),
    release: async ({ leave, ended }) => {
      leave();
      return ended;
    },
  };
}
