/** Moves an acquire and its test in front of the `try` that they open. */
import type { Acquire } from '../model/acts.js';
import { contains } from '../model/ast.js';
import type { SourceCode, TSESTree } from '../types.js';
import { newlineOf } from './import/text.js';
import type { Repair } from './repair.js';

/** Only where the acquire and the test of its reply are the first statements of the block. */
export function acquireBeforeTry(
  sourceCode: SourceCode,
  acquire: Acquire,
  region: TSESTree.TryStatement,
): Repair | null {
  const [first, second] = region.block.body;
  if (!first || !contains(first, acquire.call)) return null;
  const last = first.type === 'IfStatement' ? first : second;
  if (last?.type !== 'IfStatement') return null;
  const text = sourceCode.text.slice(first.range[0], last.range[1]);
  const inside = first.loc.start.column;
  const outside = region.loc.start.column;
  const moved = text.replaceAll(`\n${' '.repeat(inside)}`, `\n${' '.repeat(outside)}`);
  const newline = newlineOf(sourceCode);
  return {
    edits: [
      { range: [region.range[0], region.range[0]], text: `${moved}${newline}${' '.repeat(outside)}` },
      { range: [first.range[0], last.range[1]], text: '' },
    ],
    safe: false,
    runtimeFound: true,
    title: 'acquireFirst',
    data: { key: acquire.key.text },
  };
}
