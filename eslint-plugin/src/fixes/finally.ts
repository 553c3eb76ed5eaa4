/** Puts the work between an acquire and its release into `try { … } finally { … }`. */
import type { Acquire, Release } from '../model/acts.js';
import { contains, parentOf, someNode, wrapped } from '../model/ast.js';
import { replyNode } from '../model/commands.js';
import { leaves } from '../model/guards.js';
import type { Node, SourceCode, Statement } from '../types.js';
import { newlineOf } from './import/text.js';
import type { Edit, Repair } from './repair.js';

/**
 * Only where the release is a statement beside the acquire, with its reply unread, and nothing that the work declares is
 * read behind it.
 */
export function releaseInFinally(
  sourceCode: SourceCode,
  acquire: Acquire,
  releases: readonly Release[],
): Repair | null {
  const [release, another] = releases;
  const statement = release && parentOf(wrapped(replyNode(release.call)));
  if (another || statement?.type !== 'ExpressionStatement') return null;
  const block = parentOf(statement);
  if (block?.type !== 'BlockStatement') return null;
  const work = block.body.slice(firstOfWork(block.body, acquire), block.body.indexOf(statement));
  const [first] = work;
  if (!first || work.length === block.body.indexOf(statement)) return null;
  if (first.loc.start.line === statement.loc.start.line) return null;
  if (work.some((inner) => isReadFrom(sourceCode, inner, statement.range[1]))) return null;
  const outside = indentOf(sourceCode, first);
  const step = stepOf(sourceCode, block, outside);
  const newline = newlineOf(sourceCode);
  return {
    edits: [
      insert(first.range[0], `try {${newline}${outside}${step}`),
      ...indentLines(sourceCode, block, first, statement, step),
      insert(statement.range[0], `} finally {${newline}${outside}${step}`),
      insert(statement.range[1], `${newline}${outside}}`),
    ],
    safe: false,
    runtimeFound: true,
    title: 'releaseInFinally',
    data: { key: acquire.key.text },
  };
}

const insert = (at: number, text: string): Edit => ({ range: [at, at], text });

/** The first statement behind the acquire and the test that leaves when the lock is busy; past the end where there is none. */
function firstOfWork(body: readonly Statement[], acquire: Acquire): number {
  const at = body.findIndex((statement) => contains(statement, acquire.call));
  const isExit = (statement: Statement | undefined): boolean =>
    statement?.type === 'IfStatement' && leaves(statement.consequent);
  if (isExit(body[at])) return at + 1;
  return at >= 0 && isExit(body[at + 1]) ? at + 2 : body.length;
}

/** Does the statement declare a name that is read from there on? */
function isReadFrom(sourceCode: SourceCode, statement: Node, from: number): boolean {
  const declared = sourceCode.scopeManager?.getDeclaredVariables(statement) ?? [];
  return declared.some(({ references }) => references.some(({ identifier }) => identifier.range[0] >= from));
}

const lineAt = (sourceCode: SourceCode, line: number): string => sourceCode.lines[line - 1] ?? '';

const indentOf = (sourceCode: SourceCode, node: Node): string =>
  /^\s*/.exec(lineAt(sourceCode, node.loc.start.line))?.[0] ?? '';

/** By how much the block is indented deeper than the line that it ends on. */
function stepOf(sourceCode: SourceCode, block: Node, inside: string): string {
  const outside = /^\s*/.exec(lineAt(sourceCode, block.loc.end.line))?.[0] ?? '';
  return inside.startsWith(outside) && inside.length > outside.length ? inside.slice(outside.length) : '  ';
}

/** Indents what stands between the first line and the release; the text of a template stays as it is. */
function indentLines(sourceCode: SourceCode, block: Node, first: Node, release: Node, step: string): Edit[] {
  const edits: Edit[] = [];
  for (let line = first.loc.start.line + 1; line < release.loc.start.line; line++) {
    const start = sourceCode.getIndexFromLoc({ line, column: 0 });
    if (lineAt(sourceCode, line).trim() !== '' && !isInTemplate(sourceCode, block, start))
      edits.push(insert(start, step));
  }
  return edits;
}

const isInTemplate = (sourceCode: SourceCode, block: Node, index: number): boolean =>
  someNode(
    block,
    sourceCode.visitorKeys,
    (node) => node.type === 'TemplateElement' && node.range[0] < index && index < node.range[1],
  );
