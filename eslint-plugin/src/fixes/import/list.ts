/** The names in braces of an import or of a destructured require, and how further names get into them. */
import type { Node, SourceCode, TSESTree } from '../../types.js';
import { indentAt, insert, newlineOf, type ImportEdit } from './text.js';

export type List = TSESTree.ImportDeclaration | TSESTree.ObjectPattern;

const LINE_COMMENT = 'Line';

export interface AddedName {
  name: string;
  local: string;
}

/** `a` and `b as c` of an import, `a` and `b: c` of a require. */
export const specifiers = (added: readonly AddedName[], separator: ' as ' | ': '): string[] =>
  added.map(({ name, local }) => (name === local ? name : name + separator + local));

/** Can names be added? Not to a namespace, to an import for its effect alone, or to a pattern that takes the rest. */
export function isList(sourceCode: SourceCode, node: List): boolean {
  if (node.type === 'ObjectPattern') return !node.properties.some(({ type }) => type === 'RestElement');
  if (node.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return false;
  return node.specifiers.length > 0 || sourceCode.getTokenBefore(node.source)?.value === 'from';
}

export function mergeInto(sourceCode: SourceCode, list: List, added: readonly AddedName[]): ImportEdit[] {
  const isImport = list.type === 'ImportDeclaration';
  const names = specifiers(added, isImport ? ' as ' : ': ');
  const elements: Node[] = isImport
    ? list.specifiers.filter(({ type }) => type === 'ImportSpecifier')
    : list.properties;
  const last = elements.at(-1);
  if (last) return appendTo(sourceCode, list, last, names);

  const text = names.join(', ');
  const close = isImport
    ? sourceCode.getTokenBefore(list.source, { skip: 1 })
    : sourceCode.getFirstToken(list, { skip: 1 });
  if (close?.value === '}') return fillEmpty(sourceCode, close, text);
  const end = list.type === 'ImportDeclaration' ? list.specifiers[0]?.range[1] : undefined;
  return end === undefined ? [] : [insert(end, `, { ${text} }`)];
}

/** After the last name and the comments behind it, on lines of their own where the list has several lines. */
function appendTo(sourceCode: SourceCode, list: List, last: Node, names: readonly string[]): ImportEdit[] {
  const next = sourceCode.getTokenAfter(last);
  const hasComma = next?.value === ',';
  const close = hasComma ? sourceCode.getTokenAfter(next) : next;
  const before = close && sourceCode.getTokenBefore(close, { includeComments: true });
  const end = before?.range[1] ?? last.range[1];
  const ownLines = list.loc.start.line < last.loc.start.line || before?.type === LINE_COMMENT;
  const separator = ownLines ? newlineOf(sourceCode) + indentAt(sourceCode, last.range[0]) : ' ';
  const text = separator + names.join(`,${separator}`) + (hasComma ? ',' : '');
  if (hasComma) return [insert(end, text)];
  return end === last.range[1] ? [insert(end, `,${text}`)] : [insert(last.range[1], ','), insert(end, text)];
}

function fillEmpty(sourceCode: SourceCode, close: TSESTree.Token, text: string): ImportEdit[] {
  const before = sourceCode.getTokenBefore(close, { includeComments: true });
  const space = before?.type === LINE_COMMENT ? newlineOf(sourceCode) : ' ';
  return [{ range: [before?.range[1] ?? close.range[0], close.range[0]], text: space + text + space }];
}
