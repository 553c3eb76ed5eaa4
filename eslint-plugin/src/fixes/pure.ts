/** Which expressions may be moved, dropped or written a second time without changing what the code does. */
import { contains, unwrap } from '../model/ast.js';
import { originOf, resolve, variableOf } from '../model/values.js';
import type { Node, Range, SourceCode, TSESTree } from '../types.js';
import type { Edit } from './repair.js';

/** Reading it has no effect and gives the same value each time: names, members, literals, templates of these. */
export function isPure(node: Node): boolean {
  const inner = unwrap(node);
  switch (inner.type) {
    case 'Identifier':
    case 'ThisExpression':
    case 'Literal':
      return true;
    case 'MemberExpression':
      return !inner.optional && isPure(inner.object) && (!inner.computed || isPure(inner.property));
    case 'TemplateLiteral':
      return inner.expressions.every(isPure);
    case 'BinaryExpression':
      return isPure(inner.left) && isPure(inner.right);
    default:
      return false;
  }
}

/** Is the expression surely a number: a literal, arithmetic, a constant, an annotated parameter? */
function isNumeric(sourceCode: SourceCode, expression: Node): boolean {
  const node = resolve(sourceCode, expression);
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'BinaryExpression')
    return (
      /^(?:[*/%-]|\*\*)$/.test(node.operator) ||
      (node.operator === '+' && isNumeric(sourceCode, node.left) && isNumeric(sourceCode, node.right))
    );
  if (node.type === 'CallExpression')
    return /^(?:Math\.\w+|Number|parseInt)$/.test(sourceCode.getText(node.callee));
  return annotatedAs(sourceCode, node, 'TSNumberKeyword') || defaultsTo(sourceCode, node, 'number');
}

/** Is the expression a name that is annotated as a string? */
export const isAnnotatedString = (sourceCode: SourceCode, node: Node): boolean =>
  annotatedAs(sourceCode, unwrap(node), 'TSStringKeyword');

function annotatedAs(sourceCode: SourceCode, node: Node, keyword: string): boolean {
  if (node.type !== 'Identifier') return false;
  const name = variableOf(sourceCode, node)?.defs[0]?.name as TSESTree.Identifier | undefined;
  return (name?.typeAnnotation?.typeAnnotation.type as string | undefined) === keyword;
}

function defaultsTo(sourceCode: SourceCode, node: Node, type: string): boolean {
  const origin = originOf(sourceCode, node);
  if (origin.kind !== 'parameter' || !origin.fallback) return false;
  const fallback = unwrap(origin.fallback);
  return fallback.type === 'Literal' && typeof fallback.value === type;
}

/**
 * Edits that take away the constants which nothing reads once the given nodes are gone.
 * Exported ones, ones with a value that does something, and ones in a list of declarations stay.
 */
export function removeUnreadConstants(sourceCode: SourceCode, gone: readonly Node[]): Edit[] {
  const edits: Edit[] = [];
  const seen = new Set<object>();
  for (const node of gone) {
    for (const identifier of identifiersIn(sourceCode, node)) {
      const variable = variableOf(sourceCode, identifier);
      const def = variable?.defs[0];
      if (!variable || seen.has(variable) || def?.type !== ('Variable' as never)) continue;
      seen.add(variable);
      const reads = variable.references.filter((r) => r.isRead());
      if (!reads.every((read) => gone.some((g) => contains(g, read.identifier)))) continue;
      const edit = removalOf(sourceCode, def.node as unknown as TSESTree.VariableDeclarator);
      if (edit) edits.push(edit);
    }
  }
  return edits;
}

function identifiersIn(sourceCode: SourceCode, node: Node): TSESTree.Identifier[] {
  const found: TSESTree.Identifier[] = [];
  const stack: Node[] = [node];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'Identifier') found.push(next);
    for (const key of sourceCode.visitorKeys[next.type] ?? []) {
      const child = (next as unknown as Record<string, unknown>)[key];
      if (Array.isArray(child)) stack.push(...(child as Node[]).filter(Boolean));
      else if (child) stack.push(child as Node);
    }
  }
  return found;
}

function removalOf(sourceCode: SourceCode, declarator: TSESTree.VariableDeclarator): Edit | null {
  const declaration = declarator.parent as Node | undefined;
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return null;
  if (declaration.declarations.length !== 1 || declarator.id.type !== 'Identifier') return null;
  if (declaration.parent.type !== 'Program' && declaration.parent.type !== 'BlockStatement') return null;
  if (!declarator.init || !isPure(declarator.init)) return null;
  return { range: withBlankLine(sourceCode, wholeLines(sourceCode, declaration.range)), text: '' };
}

/** Takes the blank line after removed lines along when one stands before them, too. */
function withBlankLine(sourceCode: SourceCode, range: Range): Range {
  const blankBefore = /\n[ \t]*\r?\n$/.test(sourceCode.text.slice(0, range[0]));
  const blankAfter = /^[ \t]*\r?\n/.exec(sourceCode.text.slice(range[1], range[1] + 200));
  return blankBefore && blankAfter ? [range[0], range[1] + blankAfter[0].length] : range;
}

/** Widens a range to whole lines when nothing else stands on them. */
export function wholeLines(sourceCode: SourceCode, range: Range): Range {
  const { text } = sourceCode;
  let start = range[0];
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  let end = range[1];
  while (end < text.length && (text[end] === ' ' || text[end] === '\t')) end++;
  const atStart = start === 0 || text[start - 1] === '\n';
  if (!atStart) return range;
  if (end === text.length) return [start, end];
  if (text.startsWith('\r\n', end)) return [start, end + 2];
  if (text[end] === '\n') return [start, end + 1];
  // A comment behind it takes its place.
  return [range[0], end];
}

const SMALLEST_TTL_MS = 100;

export interface Milliseconds {
  text: string;
  /** Surely an integer number of milliseconds that the runtime accepts. */
  sure: boolean;
}

/** A TTL in seconds or milliseconds as an expression in milliseconds. */
export function millisecondsText(sourceCode: SourceCode, ttl: Node, unit: 's' | 'ms'): Milliseconds | null {
  const node = unwrap(ttl);
  const factor = unit === 's' ? 1000 : 1;
  if (node.type === 'Literal') {
    const ms = Number(node.value) * factor;
    return Number.isInteger(ms) && ms >= SMALLEST_TTL_MS ? { text: String(ms), sure: true } : null;
  }
  const sure = isNumeric(sourceCode, node);
  if (!isPure(node) && !sure) return null;
  const text = sourceCode.getText(node);
  if (factor === 1) return { text, sure };
  const simple =
    node.type === 'Identifier' || node.type === 'MemberExpression' || node.type === 'CallExpression';
  return { text: simple ? `${text} * 1000` : `(${text}) * 1000`, sure };
}
