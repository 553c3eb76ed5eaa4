/** Small, pure questions about the syntax tree. */
import type {
  CallExpression,
  ClassNode,
  FunctionNode,
  Node,
  Scope,
  SourceCode,
  TSESTree,
  Variable,
} from '../types.js';

/** Visits every node below `root` once, parents first; a visitor that answers `false` keeps out of the node's inside. */
export function walk(
  root: Node,
  visitorKeys: SourceCode['visitorKeys'],
  visit: (node: Node) => boolean | undefined,
): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (visit(node) === false) continue;
    const keys = visitorKeys[node.type] ?? [];
    for (let i = keys.length - 1; i >= 0; i--) {
      const child = (node as unknown as Record<string, unknown>)[keys[i] ?? ''];
      if (Array.isArray(child)) {
        for (let j = child.length - 1; j >= 0; j--) if (child[j]) stack.push(child[j] as Node);
      } else if (child) stack.push(child as Node);
    }
  }
}

/** Does any node below `root` pass the test? */
export function someNode(
  root: Node,
  visitorKeys: SourceCode['visitorKeys'],
  test: (node: Node) => boolean,
): boolean {
  const found: Node[] = [];
  walk(root, visitorKeys, (node) => {
    if (found.length === 0 && test(node)) found.push(node);
    return found.length === 0;
  });
  return found.length > 0;
}

/** The node's parent; `undefined` only for the program. */
export const parentOf = (node: Node): Node | undefined => node.parent;

/** The variable that a name means at a place. */
export function variableNamed(sourceCode: SourceCode, place: Node, name: string): Variable | null {
  for (let scope: Scope | null = sourceCode.getScope(place); scope; scope = scope.upper) {
    const variable = scope.set.get(name);
    if (variable) return variable;
  }
  return null;
}

/** Does the node only change the type or the evaluation order of what it wraps? */
export function isTransparent(node: Node): boolean {
  switch (node.type as string) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSSatisfiesExpression':
    case 'ChainExpression':
      return true;
    default:
      return false;
  }
}

/** Strips casts, `!`, optional chains and `await`. */
export function unwrap(node: Node): Node {
  let current = node;
  while (isTransparent(current) || current.type === 'AwaitExpression') {
    current =
      current.type === 'AwaitExpression'
        ? current.argument
        : (current as TSESTree.TSNonNullExpression).expression;
  }
  return current;
}

/** The outermost cast or chain around a node: the node whose parent really uses the value. */
export function wrapped(node: Node): Node {
  let current = node;
  for (let up = parentOf(current); up && isTransparent(up); up = parentOf(current)) current = up;
  return current;
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

export const isClass = (node: Node): node is ClassNode =>
  node.type === 'ClassDeclaration' || node.type === 'ClassExpression';

/** The nearest ancestor that `test` accepts. */
function ancestor<T extends Node>(node: Node, test: (node: Node) => node is T): T | null {
  for (let up = parentOf(node); up; up = parentOf(up)) if (test(up)) return up;
  return null;
}

export const functionOf = (node: Node): FunctionNode | null => ancestor(node, isFunction);
export const classOf = (node: Node): ClassNode | null => ancestor(node, isClass);

/** The functions around a node, innermost first. */
export function functionsAround(node: Node): FunctionNode[] {
  const found: FunctionNode[] = [];
  for (let fn = functionOf(node); fn; fn = functionOf(fn)) found.push(fn);
  return found;
}

export const contains = (outer: Node, inner: Node): boolean =>
  outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];

/** The name that a property access or a property definition shows, when it is not computed. */
export function propertyName(node: Node): string | null {
  if (node.type === 'PrivateIdentifier' || node.type === 'Identifier') return node.name;
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'MemberExpression') {
    if (!node.computed) return propertyName(node.property);
    return node.property.type === 'Literal' ? String(node.property.value) : null;
  }
  if (
    node.type === 'Property' ||
    node.type === 'MethodDefinition' ||
    node.type === 'PropertyDefinition' ||
    node.type === 'AccessorProperty'
  ) {
    return node.computed && node.key.type !== 'Literal' ? null : propertyName(node.key);
  }
  return null;
}

/** The name a reader would give to a function: its own, its method's, or that of the variable or property it is put in. */
export function functionName(fn: FunctionNode): string | null {
  if (fn.id) return fn.id.name;
  let node: Node = fn;
  for (let up = parentOf(node); up; up = parentOf(node)) {
    if (up.type === 'VariableDeclarator') return up.id.type === 'Identifier' ? up.id.name : null;
    if (up.type === 'AssignmentExpression') return propertyName(up.left);
    if (up.type === 'Property' || up.type === 'MethodDefinition' || up.type === 'PropertyDefinition') {
      return propertyName(up);
    }
    if (isTransparent(up) || (up.type === 'CallExpression' && up.arguments[0] === node)) node = up;
    else return null;
  }
  return null;
}

/** The property of an object literal by name. */
export function objectProperty(object: TSESTree.ObjectExpression, name: string): TSESTree.Property | null {
  for (const property of object.properties) {
    if (property.type === 'Property' && propertyName(property) === name) return property;
  }
  return null;
}

/** The text of a string literal or of a template without holes. */
export function stringValue(node: Node | null | undefined): string | null {
  if (!node) return null;
  const inner = unwrap(node);
  if (inner.type === 'Literal' && typeof inner.value === 'string') return inner.value;
  if (inner.type === 'TemplateLiteral' && inner.expressions.length === 0)
    return inner.quasis[0]?.value.cooked ?? null;
  return null;
}

/** `name` of a call's method, or of the called function; null for computed callees. */
export function calleeName(call: CallExpression): string | null {
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? propertyName(callee) : null;
}
