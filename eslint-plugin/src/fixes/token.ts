/** Takes away what made a token once a lease holds it: the constant, and the import that brought only its maker. */
import { contains, parentOf, unwrap } from '../model/ast.js';
import { tokenOf } from '../model/tokens.js';
import { variableOf } from '../model/values.js';
import type { Node, SourceCode, TSESTree } from '../types.js';
import { wholeLines } from './pure.js';
import type { Edit } from './repair.js';

/**
 * @param value What the acquire stores.
 * @param gone All nodes that the repair takes away.
 * @param added The edits that bring the runtime's import.
 * @returns The added edits and the removals, none of which overlap; null where the token is needed elsewhere.
 */
export function removeToken(
  sourceCode: SourceCode,
  value: Node,
  gone: readonly Node[],
  added: readonly Edit[],
): Edit[] | null {
  const node = unwrap(value);
  if (node.type !== 'Identifier') return null;
  const variable = variableOf(sourceCode, node);
  const declarator = variable?.defs[0]?.node as TSESTree.VariableDeclarator | undefined;
  const declaration = declarator?.parent as Node | undefined;
  if (!variable || !declarator?.init || declarator.id.type !== 'Identifier') return null;
  if (declaration?.type !== 'VariableDeclaration' || declaration.declarations.length !== 1) return null;
  if (parentOf(declaration)?.type !== 'BlockStatement') return null;
  if (tokenOf(sourceCode, declarator.init).kind !== 'unique') return null;
  const reads = variable.references.filter((reference) => reference.isRead());
  if (!reads.every((read) => gone.some((part) => contains(part, read.identifier)))) return null;
  const constant = { range: wholeLines(sourceCode, declaration.range), text: '' };
  return [...withoutMaker(sourceCode, declarator.init, added), constant];
}

/** The import of `randomUUID` goes when it served this token alone; an import added right behind takes its place. */
function withoutMaker(sourceCode: SourceCode, init: Node, added: readonly Edit[]): Edit[] {
  const brought = importOf(sourceCode, init);
  if (!brought) return [...added];
  const lines = wholeLines(sourceCode, brought.range);
  const touching = added.filter(({ range }) => range[0] >= lines[0] && range[1] <= lines[1]);
  const [beside] = touching;
  if (!beside) return [...added, { range: lines, text: '' }];
  return [
    ...added.filter((edit) => !touching.includes(edit)),
    { range: brought.range, text: touching.map(({ text }) => text.trim()).join('\n') },
  ];
}

function importOf(sourceCode: SourceCode, init: Node): TSESTree.ImportDeclaration | null {
  let maker = unwrap(init);
  while (maker.type === 'CallExpression' || maker.type === 'MemberExpression')
    maker = maker.type === 'CallExpression' ? maker.callee : maker.object;
  const variable = maker.type === 'Identifier' ? variableOf(sourceCode, maker) : null;
  const declaration = variable?.defs[0]?.parent as Node | undefined;
  if (variable?.references.length !== 1 || declaration?.type !== 'ImportDeclaration') return null;
  return declaration.specifiers.length === 1 ? declaration : null;
}
