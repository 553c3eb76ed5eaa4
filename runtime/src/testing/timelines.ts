/** Timelines as data: who does what, in which order, and what a right lock answers. */

export type Actor = 'A' | 'B';

export type Step =
  /** The actor asks for the lock. */
  | { who: Actor; what: 'acquire'; expected: 'taken' | 'busy' }
  /** The actor stands still past its TTL, and the key expires in Redis. */
  | { who: Actor; what: 'pause'; expected: 'expired' }
  /** The actor ends its work and gives the lock back. `ended`: whatever it answers; `refused`: it must not answer success. */
  | { who: Actor; what: 'release'; expected: 'ended' | 'refused' }
  /** A part of the TTL passes, and the actor renews. `refused`: the key lives no longer for it, and no success is answered. */
  | { who: Actor; what: 'renew'; expected: 'extended' | 'refused' }
  /** A and B ask at the same moment. */
  | { who: 'redis'; what: 'race'; expected: 'one' }
  /** A look at the key's TTL. */
  | { who: 'redis'; what: 'ttl'; expected: 'limited' }
  /** Did A and B store different values? */
  | { who: 'redis'; what: 'values'; expected: 'different' }
  /** A look at the key: whose value does it hold? */
  | { who: 'redis'; what: 'check'; expected: Actor | 'nobody' };

export interface Timeline {
  name: string;
  title: string;
  /** What it asks of the lock and the observer beside acquire, release and `get`. */
  needs?: readonly ('renew' | 'pttl')[];
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

const A_EXPIRES: readonly Step[] = [
  { who: 'A', what: 'acquire', expected: 'taken' },
  { who: 'A', what: 'pause', expected: 'expired' },
];
const B_TAKES: Step = { who: 'B', what: 'acquire', expected: 'taken' };
const B_HOLDS: Step = { who: 'redis', what: 'check', expected: 'B' };
const NOBODY_HOLDS: Step = { who: 'redis', what: 'check', expected: 'nobody' };

/** What `proveLock` runs, the founding one first. */
export const timelines: readonly Timeline[] = [
  foundingTimeline,
  {
    name: 'own-release',
    title: 'A holder that gives its lock back leaves the key free',
    steps: [
      { who: 'A', what: 'acquire', expected: 'taken' },
      { who: 'redis', what: 'check', expected: 'A' },
      { who: 'A', what: 'release', expected: 'ended' },
      NOBODY_HOLDS,
    ],
  },
  {
    name: 'busy',
    title: 'Nobody else gets a lock that is held',
    steps: [
      { who: 'A', what: 'acquire', expected: 'taken' },
      { who: 'B', what: 'acquire', expected: 'busy' },
      { who: 'redis', what: 'check', expected: 'A' },
    ],
  },
  {
    name: 'two-at-once',
    title: 'Of two that ask at the same moment one gets the lock',
    steps: [{ who: 'redis', what: 'race', expected: 'one' }],
  },
  {
    name: 'own-value',
    title: 'Each acquisition stores a value of its own',
    steps: [
      { who: 'A', what: 'acquire', expected: 'taken' },
      { who: 'A', what: 'release', expected: 'ended' },
      B_TAKES,
      { who: 'redis', what: 'values', expected: 'different' },
    ],
  },
  {
    name: 'late-release',
    title: 'A holder that releases too late is not told that all went well',
    steps: [...A_EXPIRES, B_TAKES, { who: 'A', what: 'release', expected: 'refused' }, B_HOLDS],
  },
  {
    name: 'ttl',
    title: 'A lock ends by itself when its holder crashes',
    needs: ['pttl'],
    steps: [
      { who: 'A', what: 'acquire', expected: 'taken' },
      { who: 'redis', what: 'ttl', expected: 'limited' },
    ],
  },
  {
    name: 'own-renewal',
    title: 'A renewal by the holder extends the lock',
    needs: ['renew', 'pttl'],
    steps: [
      { who: 'A', what: 'acquire', expected: 'taken' },
      { who: 'A', what: 'renew', expected: 'extended' },
      { who: 'redis', what: 'check', expected: 'A' },
    ],
  },
  {
    name: 'late-renewal',
    title: "A renewal that comes too late does not extend the next holder's lock",
    needs: ['renew', 'pttl'],
    steps: [...A_EXPIRES, B_TAKES, { who: 'A', what: 'renew', expected: 'refused' }, B_HOLDS],
  },
  {
    name: 'revival',
    title: 'A renewal does not bring an expired lock back',
    needs: ['renew', 'pttl'],
    steps: [...A_EXPIRES, { who: 'A', what: 'renew', expected: 'refused' }, NOBODY_HOLDS],
  },
];
