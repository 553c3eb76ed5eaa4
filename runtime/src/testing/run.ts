/** Runs a timeline against somebody's lock functions on a real Redis, and reports what was observed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor, Step, Timeline } from './timelines.js';

/** The connection that observes the key: `get` of any client will do. */
export interface Observer {
  get(key: string): Promise<unknown>;
}

/** The lock functions under test. */
export interface LockUnderTest<Handle = unknown> {
  /** Asks for the lock; null when it is busy. */
  acquire(who: Actor): Promise<Handle | null>;
  release(handle: Handle, who: Actor): Promise<unknown>;
}

export interface RunOptions<Handle> {
  observer: Observer;
  /** The key as the observer reads it. */
  key: string;
  /** The TTL that the functions under test set, in milliseconds. */
  ttlMs: number;
  lock: LockUnderTest<Handle>;
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
  const began = performance.now();
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
        const gone = await expires(observer, key, ttlMs);
        return { observed: gone ? 'expired' : 'kept', reply: null };
      }
      case 'release': {
        const handle = handles.get(step.who);
        handles.delete(step.who);
        const reply = handle === undefined ? null : await lock.release(handle, step.who);
        return { observed: 'ended', reply };
      }
      case 'check': {
        const reply = await observer.get(key);
        return { observed: ownerOf(reply, values), reply };
      }
    }
  };

  for (const step of timeline.steps) {
    const { observed, reply } = await play(step);
    steps.push({ step, atMs: performance.now() - began, observed, reply, ok: observed === step.expected });
  }
  const brokenBy = steps.find((step) => !step.ok) ?? null;
  return { timeline, key, ttlMs, held: brokenBy === null, brokenBy, steps };
}

/** Whose value is it? With one value for all acquisitions the key is the last one's who took it. */
function ownerOf(value: unknown, values: ReadonlyMap<Actor, unknown>): Actor | 'nobody' {
  if (value === null || value === undefined) return 'nobody';
  return values.get('B') === value ? 'B' : 'A';
}

async function expires(observer: Observer, key: string, ttlMs: number): Promise<boolean> {
  await sleep(ttlMs);
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    if ((await observer.get(key)) === null) return true;
    await sleep(10);
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
