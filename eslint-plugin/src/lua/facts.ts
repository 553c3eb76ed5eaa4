/** What is known on every path to a place in a script about the right to delete or extend. */

/**
 * How that right was proved: the stored value equals a token, a set has the token as a member, the script took the
 * lock itself, or the key is missing.
 */
export type Proof = 'compared' | 'member' | 'won' | `absent ${string}`;

export type Guard = 'compared' | 'unguarded' | 'unknown';

export interface Facts {
  /** Each path has a proof. */
  readonly safe: boolean;
  /** The proofs that some path has. */
  readonly proofs: ReadonlySet<Proof>;
  /** Keys that are known not to exist, on every path. */
  readonly free: ReadonlySet<string>;
  /** Outcomes of conditions that we do not understand and that every path has in common. */
  readonly doubts: ReadonlySet<string>;
}

const NONE: ReadonlySet<never> = new Set<never>();
/** More doubts than this on one path say nothing new; the older ones outlive the younger ones. */
const MOST_DOUBTS = 8;

export const NOTHING: Facts = { safe: false, proofs: NONE, free: NONE, doubts: NONE };

export const proved = (proof: Proof): Facts => ({ ...NOTHING, safe: true, proofs: new Set([proof]) });
export const absent = (key: string): Facts => ({ ...NOTHING, free: new Set([key]) });
export const doubt = (outcome: string): Facts => ({ ...NOTHING, doubts: new Set([outcome]) });

/** Both hold: one condition after the other on the same path. */
export function both(a: Facts, b: Facts): Facts {
  if (a === NOTHING) return b;
  if (b === NOTHING) return a;
  return {
    safe: a.safe || b.safe,
    proofs: union(a.proofs, b.proofs),
    free: union(a.free, b.free),
    doubts: union(a.doubts, b.doubts, MOST_DOUBTS),
  };
}

/** One of the two holds: two paths meet. */
export function either(a: Facts, b: Facts): Facts {
  if (a === b) return a;
  const safe = (a.safe || b.safe) && covered(a) && covered(b);
  const free = intersection(a.free, b.free);
  return {
    safe,
    proofs: safe ? union(reasons(a), reasons(b)) : NONE,
    free,
    doubts: doubtsOfEither(a, b, safe || free.size > 0),
  };
}

const covered = (facts: Facts): boolean => facts.safe || facts.free.size > 0;

const reasons = ({ proofs, free }: Facts): ReadonlySet<Proof> =>
  union(proofs, new Set([...free].map((key): Proof => `absent ${key}`)));

function doubtsOfEither(a: Facts, b: Facts, settled: boolean): ReadonlySet<string> {
  if (settled || covered(a) === covered(b)) {
    const common = intersection(a.doubts, b.doubts);
    // Each path found another key missing: more than this analysis can judge.
    return !settled && covered(a) && common.size === 0 ? new Set(['different keys are missing']) : common;
  }
  return covered(a) ? b.doubts : a.doubts;
}

/** A path of which we only know that it may skip what the `others` did. */
export const mayHaveSkipped = (others: readonly Facts[], place: string): Facts => ({
  ...NOTHING,
  doubts: union(new Set([place]), new Set(others.flatMap((facts) => [...facts.doubts]))),
});

/** What the facts say about deleting or extending `key` (null: an unknown key). */
export function guardOf(facts: Facts, key: string | null): Guard {
  if (facts.safe || (key !== null && facts.free.has(key))) return 'compared';
  return key === null || facts.free.size > 0 || facts.doubts.size > 0 ? 'unknown' : 'unguarded';
}

const RANK: readonly Guard[] = ['unguarded', 'unknown', 'compared'];

/** The guard of a place that is reached in two ways. */
export const weaker = (a: Guard, b: Guard): Guard => (RANK.indexOf(a) < RANK.indexOf(b) ? a : b);

function union<T>(a: ReadonlySet<T>, b: ReadonlySet<T>, most = Infinity): ReadonlySet<T> {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  return new Set([...a, ...b].slice(0, most));
}

function intersection<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  if (a.size === 0 || b.size === 0) return NONE;
  return new Set([...a].filter((item) => b.has(item)));
}
