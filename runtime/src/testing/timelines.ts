/** Timelines as data: who does what, in which order, and what a right lock answers. */

export type Actor = 'A' | 'B';

export type Step =
  /** The actor asks for the lock. */
  | { who: Actor; what: 'acquire'; expected: 'taken' | 'busy' }
  /** The actor stands still past its TTL, and the key expires in Redis. */
  | { who: Actor; what: 'pause'; expected: 'expired' }
  /** The actor ends its work and gives the lock back. Whatever it answers, the check after it tells. */
  | { who: Actor; what: 'release'; expected: 'ended' }
  /** A look at the key: whose value does it hold? */
  | { who: 'redis'; what: 'check'; expected: Actor | 'nobody' };

export interface Timeline {
  name: string;
  title: string;
  steps: readonly Step[];
}

/** A acquires and stops past its TTL, B acquires, A resumes and releases: the key must still be B's. */
export const foundingTimeline: Timeline = {
  name: 'founding',
  title: "A holder that was stopped past its TTL gives back nobody's lock but its own",
  steps: [
    { who: 'A', what: 'acquire', expected: 'taken' },
    { who: 'A', what: 'pause', expected: 'expired' },
    { who: 'B', what: 'acquire', expected: 'taken' },
    { who: 'redis', what: 'check', expected: 'B' },
    { who: 'A', what: 'release', expected: 'ended' },
    { who: 'redis', what: 'check', expected: 'B' },
    { who: 'B', what: 'release', expected: 'ended' },
    { who: 'redis', what: 'check', expected: 'nobody' },
  ],
};
