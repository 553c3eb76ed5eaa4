/** How names and replies are used around a repair. */
import { parentOf, variableNamed, wrapped } from '../model/ast.js';
import { replyNode } from '../model/commands.js';
import { variableOf } from '../model/values.js';
import type { CallExpression, Identifier, Node, Scope, SourceCode } from '../types.js';

/** Is the reply of a call dropped, also behind `void` and `.catch(…)`? */
export function isDropped(call: CallExpression): boolean {
  const node = wrapped(replyNode(call));
  const up = parentOf(node);
  if (up?.type === 'ExpressionStatement' || up?.type === 'ArrowFunctionExpression') return true;
  if (up?.type === 'UnaryExpression' && up.operator === 'void') return true;
  // redis.del(key).catch(() => {}) keeps its handler
  const chained = up?.type === 'MemberExpression' ? parentOf(up) : null;
  const method =
    up?.type === 'MemberExpression' && up.property.type === 'Identifier' ? up.property.name : null;
  return chained?.type === 'CallExpression' && method === 'catch' && isDropped(chained);
}

/** The name of a variable that is written once and means the same at all of the given places. */
export function visibleName(
  sourceCode: SourceCode,
  node: Identifier,
  places: readonly Node[],
): string | null {
  const variable = variableOf(sourceCode, node);
  if (!variable || variable.references.filter((r) => r.isWrite()).length > 1) return null;
  const visible = places.every((place) => variableNamed(sourceCode, place, node.name) === variable);
  return visible ? node.name : null;
}

/** Would a `const` that is declared at `place` be in scope at `use`? */
export function isInScope(sourceCode: SourceCode, place: Node, use: Node): boolean {
  const declaring = sourceCode.getScope(place);
  for (let scope = sourceCode.getScope(use) as Scope | null; scope; scope = scope.upper) {
    if (scope === declaring) return true;
  }
  return false;
}
