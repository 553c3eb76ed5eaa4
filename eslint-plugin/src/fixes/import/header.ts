/** Which comments above the first statement speak of it, and which of the whole file. */
import type { Node, SourceCode, TSESTree } from '../../types.js';

/** They work for the next line alone. */
const OF_NEXT_LINE =
  /-disable-next-line|@ts-(?:ignore|expect-error)|\b(?:prettier|biome|v8|c8|istanbul)[\s-]ignore/;

/** Licences, and settings of tools for the whole file. */
const OF_FILE = new RegExp(
  [
    String.raw`licen[sc]e|copyright|\(c\)|©|SPDX|rights reserved`,
    String.raw`@(?:file|overview|module|packageDocumentation|preserve|jsx|flow|format|ts-(?:no)?check|[\w-]+-environment)`,
    String.raw`^\s*(?:eslint|oxlint|globals?\s|exported\s)`,
  ].join('|'),
  'i',
);

/** Where the first statement begins, with its decorators and with the comments that belong to it. */
export function startWithOwnComments(sourceCode: SourceCode, first: Node): number {
  let start: Node | TSESTree.Comment = firstDecorator(first) ?? first;
  const comments = sourceCode.getCommentsBefore(start);
  const adjacent = adjacentTo(start, comments);
  const header = comments.length > adjacent.length;
  for (const comment of adjacent) {
    if (!isOwn(comment, header)) break;
    start = comment;
  }
  return start.range[0];
}

/** The comments right above a node with no blank line between, from the lowest to the highest. */
function adjacentTo(node: Node, comments: readonly TSESTree.Comment[]): TSESTree.Comment[] {
  let { line } = node.loc.start;
  const found: TSESTree.Comment[] = [];
  for (const comment of comments.toReversed()) {
    if (comment.loc.end.line < line - 1 || (comment.type as string) === 'Shebang') break;
    found.push(comment);
    line = comment.loc.start.line;
  }
  return found;
}

/** A comment at the top of a file is the file's; JSDoc, and what stands below a header and a blank line, is the statement's. */
function isOwn({ type, value }: TSESTree.Comment, belowHeader: boolean): boolean {
  if (OF_NEXT_LINE.test(value)) return true;
  if (OF_FILE.test(value)) return false;
  return belowHeader || ((type as string) === 'Block' && value.startsWith('*'));
}

/** `@decorated export class`: the export begins behind its decorators. */
function firstDecorator(statement: Node): Node | null {
  const declaration =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
      ? statement.declaration
      : null;
  const decorator = declaration?.type === 'ClassDeclaration' ? declaration.decorators[0] : null;
  return decorator && decorator.range[0] < statement.range[0] ? decorator : null;
}
