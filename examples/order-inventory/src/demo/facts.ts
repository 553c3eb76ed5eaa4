/** What was observed in a race, as plain data, and what that proves. */
import type { Outcome } from '../shop.js';
import { callsOf, hidden, type Call } from './calls.js';
import type { Buyer, Race, Version } from './race.js';

export interface Facts {
  readonly version: Version;
  readonly key: string;
  readonly ttlMs: number;
  readonly calls: readonly Call[];
  /** A's lock expired while A worked, and B held it when A came to its release. */
  readonly bHeldTheLock: boolean;
  /** The command of A's release; null when none was sent. */
  readonly release: Call | null;
  /** What GET answered right after it; a token is hashed. */
  readonly keyAfterRelease: string | null;
  readonly keyIsBs: boolean;
  /** What the runtime told of A's lease; null before the fix, where nobody is told. */
  readonly loss: { readonly reason: string; readonly at: string } | null;
  readonly outcomes: Readonly<Partial<Record<Buyer, Outcome>>>;
  readonly unitsLeft: number;
  readonly orders: number;
}

export function factsOf({ version, report, exchanges, losses, outcomes, stock }: Race): Facts {
  const calls = callsOf(exchanges);
  const releaseAt = report.steps.findIndex(({ step }) => step.who === 'A' && step.what === 'release');
  const check = report.steps[releaseAt + 1];
  const bCame = calls.findIndex(({ who }) => who === 'B');
  const loss = losses.at(-1);
  return {
    version,
    key: report.key,
    ttlMs: report.ttlMs,
    calls,
    bHeldTheLock: report.steps.slice(0, releaseAt).every(({ ok }) => ok),
    release: calls.find(({ who, from }, i) => i > bCame && who === 'A' && from !== null) ?? null,
    keyAfterRelease: valueText(version, check?.reply),
    keyIsBs: check?.observed === 'B',
    loss: loss ? { reason: loss.reason, at: loss.at } : null,
    outcomes: Object.fromEntries(outcomes),
    unitsLeft: stock.units,
    orders: stock.orders,
  };
}

/** A value of the key as it may be shown: the fixed one as it is, a token hashed; null for no value. */
export function valueText(version: Version, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return version === 'after' ? hidden(value) : value;
}

export interface Verdict {
  /** The lines of what has been seen to be so. */
  readonly shown: readonly string[];
  /** What could not be shown, and what was observed instead. */
  readonly missing: readonly string[];
}

interface Claim {
  readonly line: string;
  readonly facts: Facts;
  readonly seen: boolean;
}

/** What the two races prove, each claim backed by every observation that it rests on. */
export function verdictOf(before: Facts, after: Facts): Verdict {
  const sales: Claim[] = [
    {
      line: 'before: two orders for the last unit',
      facts: before,
      seen: before.orders === 2 && before.unitsLeft === -1,
    },
    {
      line: 'after: one order for the last unit',
      facts: after,
      seen: after.orders === 1 && after.unitsLeft === 0,
    },
  ];
  const locks: Claim[] = [
    {
      line: "before: A's release deleted B's lock",
      facts: before,
      seen: before.bHeldTheLock && before.release?.reply === 1 && before.keyAfterRelease === null,
    },
    {
      line: "after: A's release answered 0, B's lock is kept",
      facts: after,
      seen: after.bHeldTheLock && after.release?.reply === 0 && after.keyIsBs && after.loss !== null,
    },
  ];
  return {
    shown: locks.filter(({ seen }) => seen).map(({ line }) => line),
    missing: [...sales, ...locks]
      .filter(({ seen }) => !seen)
      .map(({ line, facts }) => `not shown: "${line}"; observed: ${observed(facts)}`),
  };
}

function observed({ bHeldTheLock, release, keyAfterRelease, unitsLeft, orders }: Facts): string {
  const answer = release ? `answered ${String(release.reply)}` : 'sent nothing';
  return [
    `B ${bHeldTheLock ? 'held' : 'did not hold'} the lock`,
    `A's release ${answer}`,
    `GET answered ${keyAfterRelease ?? 'null'}`,
    `${String(orders)} orders`,
    `stock ${String(unitsLeft)}`,
  ].join(', ');
}
