/** A repair as plain data: edits of the text, and how sure we are that they keep what the code does. */
import type { Rule } from 'eslint';
import type { Node, Range, SourceCode } from '../types.js';

export interface Edit {
  range: Range;
  text: string;
}

export interface Repair {
  edits: readonly Edit[];
  /** Same result on every run without a race or an outage. */
  safe: boolean;
  /** Can the repaired file resolve the runtime? */
  runtimeFound: boolean;
  title: keyof typeof SUGGESTIONS;
  data: Readonly<Record<string, string>>;
}

/** Texts of the suggestions, shared by all rules. */
export const SUGGESTIONS = {
  useLease: 'Take and release {{key}} with `tryAcquireLease` and `releaseLease` of lockproof.',
  releaseByToken:
    'Compare and delete in one step inside Redis: `releaseLease({{client}}, {{key}}, {{token}})`.',
  renewByToken:
    'Compare and extend in one step inside Redis: `renewLease({{client}}, {{key}}, {{token}}, …)`.',
  keepLostLock: 'Leave the key to its next holder.',
  throwWhenBusy: 'Throw when {{key}} is held by somebody else.',
  setWithExpiry: 'Set {{key}} and its TTL in one command.',
  hashToken: 'Log `hashToken({{token}})`, 8 digits that tell tokens apart and unlock nothing.',
  otherSpelling: 'Spell the options as {{library}} reads them.',
  keysInArray: 'Pass the keys as an array.',
  rightUnit: 'Write {{ttl}}.',
  acquireFirst: 'Take {{key}} before the `try`.',
  releaseInFinally: 'Release {{key}} in a `finally`.',
  stopWhenLost: 'Throw when the lease is lost.',
  stopRenewal: 'Stop the timer before the release.',
  installRuntime: '{{title}} (Add the package first: `npm install lockproof`.)',
} as const;

export const toFix =
  (edits: readonly Edit[]): Rule.ReportFixer =>
  (fixer) =>
    edits.map((edit) => fixer.replaceTextRange([...edit.range], edit.text));

export const replaceNode = (node: Node, text: string): Edit => ({ range: node.range, text });

/** Would an edit of the range drop a comment? */
export function dropsComment(sourceCode: SourceCode, range: Range, kept: readonly Range[] = []): boolean {
  return sourceCode
    .getAllComments()
    .some(
      (comment) =>
        comment.range[0] >= range[0] &&
        comment.range[1] <= range[1] &&
        !kept.some((k) => comment.range[0] >= k[0] && comment.range[1] <= k[1]),
    );
}
