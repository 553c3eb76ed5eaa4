/** The data that messages are filled with: names and lines of the user's own code. */
import type { Release, ReleaseKind, Renewal, RenewalKind } from './model/acts.js';
import type { Model } from './model/index.js';
import type { Lock } from './model/locks.js';
import { unwrap } from './model/ast.js';
import type { Node, SourceCode } from './types.js';

const LONGEST = 60;

/** The source text of an expression, on one line and cut to a readable length. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `\`${line.slice(0, LONGEST - 1)}…\`` : `\`${line}\``;
}

export const lineOf = (node: Node): string => String(node.loc.start.line);

export function describeAcquire(sourceCode: SourceCode, lock: Lock): Record<string, string> {
  const { acquire, releases } = lock;
  const { value } = acquire;
  return {
    key: quote(acquire.key.text),
    value: value ? quote(sourceCode.getText(unwrap(value))) : '',
    line: releases[0] ? lineOf(releases[0].call) : '',
  };
}

export function describeRelease(lock: Lock | null, release: Release): Record<string, string> {
  return { key: quote(release.key.text), line: lock ? lineOf(lock.acquire.call) : '' };
}

/** The releases of one kind, each once, with a lock that they belong to; those whose acquire stands in another file have none. */
export function eachRelease(model: Model, kind: ReleaseKind): { lock: Lock | null; release: Release }[] {
  const seen = new Set<Node>();
  const found: { lock: Lock | null; release: Release }[] = [];
  const all = [
    ...model.locks.flatMap((lock) => lock.releases.map((release) => ({ lock, release }))),
    ...model.strayReleases.map((release) => ({ lock: null, release })),
  ];
  for (const entry of all) {
    if (entry.release.kind !== kind || seen.has(entry.release.call)) continue;
    seen.add(entry.release.call);
    found.push(entry);
  }
  return found;
}

/** The renewals of some kinds, each once, with a lock that they belong to. */
export function eachRenewal(
  model: Model,
  kinds: readonly RenewalKind[],
): { lock: Lock | null; renewal: Renewal }[] {
  const seen = new Set<Node>();
  const all = [
    ...model.locks.flatMap((lock) => lock.renewals.map((renewal) => ({ lock, renewal }))),
    ...model.strayRenewals.map((renewal) => ({ lock: null, renewal })),
  ];
  return all.filter(({ renewal }) => {
    if (!kinds.includes(renewal.kind) || seen.has(renewal.call)) return false;
    seen.add(renewal.call);
    return true;
  });
}
