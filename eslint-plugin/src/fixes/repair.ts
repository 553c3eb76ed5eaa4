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
  title: 'useLease' | 'releaseByToken';
  data: Readonly<Record<string, string>>;
}

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
