/** Which conditions are known to hold where a node runs. */
import type { Node, Statement } from '../types.js';
import { isFunction, parentOf, unwrap } from './ast.js';

export interface Fact {
  /** A condition without `!`, `&&` or `||` around it. */
  condition: Node;
  holds: boolean;
  /** The `if`, ternary or logical expression it comes from. */
  source: Node;
}

/** Does the statement always leave the block it stands in? */
export function leaves(statement: Statement | null | undefined): boolean {
  if (!statement) return false;
  switch (statement.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return true;
    case 'BlockStatement':
      return statement.body.some(leaves);
    case 'IfStatement':
      return leaves(statement.consequent) && leaves(statement.alternate);
    case 'TryStatement':
      return (
        leaves(statement.finalizer) ||
        (leaves(statement.block) && (!statement.handler || leaves(statement.handler.body)))
      );
    default:
      return false;
  }
}

/** Takes a test apart into the facts that follow from its outcome. */
function* factsOf(test: Node, holds: boolean, source: Node): Generator<Fact> {
  const node = unwrap(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    yield* factsOf(node.argument, !holds, source);
  } else if (node.type === 'LogicalExpression' && node.operator === (holds ? '&&' : '||')) {
    yield* factsOf(node.left, holds, source);
    yield* factsOf(node.right, holds, source);
  } else {
    yield { condition: node, holds, source };
  }
}

/** The statements of a block, a program or a case. */
const statementsOf = (list: Node): readonly Node[] => {
  if (list.type === 'SwitchCase') return list.consequent;
  return list.type === 'BlockStatement' || list.type === 'Program' ? list.body : [];
};

/** A list of statements that `child` runs after; a declaration of the program does not run where it stands. */
const isFlow = (list: Node, child: Node): boolean =>
  list.type === 'BlockStatement' ||
  list.type === 'SwitchCase' ||
  (list.type === 'Program' && !/^(?:Function|Class|Export)/.test(child.type));

/** The facts at a node, nearest first; those of outer functions included. `stop` ends the search. */
export function* factsAt(node: Node, stop: Node | null = null): Generator<Fact> {
  let child = node;
  for (let up = parentOf(child); up && child !== stop; up = parentOf(child)) {
    if (up.type === 'IfStatement' || up.type === 'ConditionalExpression') {
      if (child === up.consequent) yield* factsOf(up.test, true, up);
      else if (child === up.alternate) yield* factsOf(up.test, false, up);
    } else if (up.type === 'LogicalExpression' && child === up.right && up.operator !== '??') {
      yield* factsOf(up.left, up.operator === '&&', up);
    } else if (isFlow(up, child)) {
      const list = statementsOf(up);
      for (let i = list.indexOf(child) - 1; i >= 0; i--) {
        const before = list[i];
        if (before?.type !== 'IfStatement') continue;
        if (leaves(before.consequent)) yield* factsOf(before.test, false, before);
        else if (leaves(before.alternate)) yield* factsOf(before.test, true, before);
      }
    }
    child = up;
  }
}

/** The two sides of an equality that is known to hold. */
export function equalSides(fact: Fact): [Node, Node] | null {
  const { condition, holds } = fact;
  if (condition.type !== 'BinaryExpression') return null;
  const equal = condition.operator === '===' || condition.operator === '==';
  const unequal = condition.operator === '!==' || condition.operator === '!=';
  if (!(equal && holds) && !(unequal && !holds)) return null;
  return [condition.left, condition.right];
}

export type Path = 'finally' | 'normal' | 'catch';

/** Does a node run on the way through, in a `finally`, or only after an error? Asked up to `stop`. */
export function pathTo(node: Node, stop: Node | null): Path {
  let child = node;
  let inFinally = false;
  for (let up = parentOf(child); up && child !== stop; up = parentOf(child)) {
    if (up.type === 'CatchClause') return 'catch';
    if (up.type === 'TryStatement' && child === up.finalizer) inFinally = true;
    if (isFunction(child) && up.type === 'CallExpression' && up.callee.type === 'MemberExpression') {
      const method = up.callee.property.type === 'Identifier' ? up.callee.property.name : '';
      if (method === 'catch') return 'catch';
      if (method === 'finally') inFinally = true;
    }
    child = up;
  }
  return inFinally ? 'finally' : 'normal';
}
