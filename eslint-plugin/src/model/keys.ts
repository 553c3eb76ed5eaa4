/** Are two key expressions the same key? */
import type { Node, SourceCode, TSESTree, Variable } from '../types.js';
import { calleeName, classOf, isFunction, parentOf, propertyName, unwrap } from './ast.js';
import { calledFunction, originOf, resolve, returnedExpression, variableOf } from './values.js';

export interface Key {
  /** Equal only for the same variables: the same key in one run of one function. */
  exact: string;
  /** Parameters and locals stand as `*`: the same key if both calls got the same arguments. */
  shape: string;
  /** The constant text of the key and the names it is made of, for what names may tell. */
  words: string;
  /** The key as the user wrote it. */
  text: string;
}

interface Part {
  exact: string;
  shape: string;
  words: string;
}

const identities = new WeakMap<object, number>();
let nextIdentity = 1;
function identity(object: object): number {
  let id = identities.get(object);
  if (id === undefined) {
    id = nextIdentity++;
    identities.set(object, id);
  }
  return id;
}

type Bindings = ReadonlyMap<Variable, Part>;
const NO_BINDINGS: Bindings = new Map();
const MAX_DEPTH = 8;

export function keyOf(sourceCode: SourceCode, expression: Node): Key {
  const part = partOf(sourceCode, expression, NO_BINDINGS, MAX_DEPTH);
  return { ...part, text: sourceCode.getText(unwrap(expression)).replaceAll(/\s+/g, ' ') };
}

const text = (value: string): Part => ({ exact: value, shape: value, words: value });

function joinParts(parts: readonly Part[]): Part {
  return {
    exact: parts.map((p) => p.exact).join(''),
    shape: parts.map((p) => p.shape).join(''),
    words: parts.map((p) => p.words).join(' '),
  };
}

function partOf(sourceCode: SourceCode, expression: Node, bindings: Bindings, depth: number): Part {
  const node = unwrap(expression);
  if (depth === 0) return opaque(sourceCode, node);
  const part = (inner: Node): Part => partOf(sourceCode, inner, bindings, depth - 1);
  switch (node.type) {
    case 'Literal':
      return text(String(node.value));
    case 'TemplateLiteral':
      return joinParts(
        node.quasis.flatMap((quasi, i) => {
          const hole = node.expressions[i];
          return hole ? [text(quasi.value.cooked ?? ''), part(hole)] : [text(quasi.value.cooked ?? '')];
        }),
      );
    case 'BinaryExpression':
      return node.operator === '+'
        ? joinParts([part(node.left), part(node.right)])
        : opaque(sourceCode, node);
    case 'Identifier':
      return partOfName(sourceCode, node, bindings, depth);
    case 'MemberExpression':
      return partOfMember(sourceCode, node, bindings, depth);
    case 'CallExpression':
      return partOfCall(sourceCode, node, bindings, depth);
    default:
      return opaque(sourceCode, node);
  }
}

function partOfName(
  sourceCode: SourceCode,
  node: TSESTree.Identifier,
  bindings: Bindings,
  depth: number,
): Part {
  const variable = variableOf(sourceCode, node);
  if (!variable) return { exact: node.name, shape: node.name, words: node.name };
  const bound = bindings.get(variable);
  if (bound) return bound;
  const origin = originOf(sourceCode, node);
  if (origin.kind === 'value' && worthFollowing(origin.node)) {
    const inner = partOf(sourceCode, origin.node, bindings, depth - 1);
    return { ...inner, words: `${node.name} ${inner.words}` };
  }
  const exact = `{${String(identity(variable))}}`;
  if (origin.kind === 'import') return { exact, shape: `@${origin.source}#${origin.name}`, words: node.name };
  return { exact, shape: isTopLevel(variable) ? exact : '*', words: node.name };
}

/** Does following the initialiser say more about a key than the variable's own name? */
function worthFollowing(node: Node): boolean {
  const inner = unwrap(node);
  return (
    inner.type === 'Literal' ||
    inner.type === 'TemplateLiteral' ||
    inner.type === 'BinaryExpression' ||
    inner.type === 'Identifier' ||
    inner.type === 'MemberExpression' ||
    inner.type === 'CallExpression'
  );
}

/** Of the module: CommonJS files have a function scope around the whole program. */
const isTopLevel = (variable: Variable): boolean => (variable.scope.block.type as string) === 'Program';

function partOfMember(
  sourceCode: SourceCode,
  node: TSESTree.MemberExpression,
  bindings: Bindings,
  depth: number,
): Part {
  const name = propertyName(node);
  const object = unwrap(node.object);
  if (object.type === 'ThisExpression' && name) {
    const origin = originOf(sourceCode, node);
    if (origin.kind === 'value' && origin.node.type !== 'Identifier' && worthFollowing(origin.node)) {
      const inner = partOf(sourceCode, origin.node, bindings, depth - 1);
      return { ...inner, words: `${name} ${inner.words}` };
    }
    const cls = classOf(node);
    const id = `{${cls ? String(identity(cls)) : 'this'}.${name}}`;
    return { exact: id, shape: id, words: name };
  }
  const resolved = resolve(sourceCode, node);
  if (resolved !== node) return partOf(sourceCode, resolved, bindings, depth - 1);
  if (name === null) return elementOf(sourceCode, node, bindings, depth);
  const owner = partOf(sourceCode, node.object, bindings, depth - 1);
  return {
    exact: `${owner.exact}.${name}`,
    shape: owner.shape === '*' ? '*' : `${owner.shape}.${name}`,
    words: `${owner.words} ${name}`,
  };
}

/** `keys[i]` of `names.map((name) => …)`: the mapped key, whatever the element. */
function elementOf(
  sourceCode: SourceCode,
  node: TSESTree.MemberExpression,
  bindings: Bindings,
  depth: number,
): Part {
  const mapped = mappedElement(sourceCode, node.object, bindings, depth);
  return mapped ?? opaque(sourceCode, node);
}

/** What each element of an array expression is, when the array is the result of `map`. */
function mappedElement(
  sourceCode: SourceCode,
  array: Node,
  bindings: Bindings = NO_BINDINGS,
  depth = MAX_DEPTH,
): Part | null {
  const source = resolve(sourceCode, array);
  if (source.type !== 'CallExpression' || calleeName(source) !== 'map') return null;
  const fn = source.arguments[0];
  if (!fn || !isFunction(fn)) return null;
  const returned = returnedExpression(sourceCode, fn);
  return returned ? partOf(sourceCode, returned, bindings, depth - 1) : null;
}

function partOfCall(
  sourceCode: SourceCode,
  node: TSESTree.CallExpression,
  bindings: Bindings,
  depth: number,
): Part {
  const name = calleeName(node);
  if (name === 'String' || name === 'toString' || name === 'trim') {
    const inner = name === 'String' ? node.arguments[0] : unwrap(node.callee);
    if (inner?.type === 'MemberExpression') return partOf(sourceCode, inner.object, bindings, depth - 1);
    if (inner) return partOf(sourceCode, inner, bindings, depth - 1);
  }
  const args = node.arguments.map((argument) => partOf(sourceCode, argument, bindings, depth - 1));
  const fn = calledFunction(sourceCode, node.callee);
  const returned = fn && returnedExpression(sourceCode, fn);
  if (fn && returned) {
    const inner = new Map(bindings);
    fn.params.forEach((parameter, i) => {
      const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
      const value = args[i];
      if (target.type !== 'Identifier' || !value) return;
      const variable = sourceCode.getDeclaredVariables(fn).find((v) => v.name === target.name);
      if (variable) inner.set(variable, value);
    });
    const built = partOf(sourceCode, returned, inner, depth - 1);
    return { ...built, words: `${name ?? ''} ${built.words}` };
  }
  const callee = sourceCode.getText(unwrap(node.callee));
  const inside = joinWith(args, ',');
  return {
    exact: `${callee}(${inside.exact})`,
    shape: `${callee}(${inside.shape})`,
    words: `${callee} ${inside.words}`,
  };
}

function joinWith(parts: readonly Part[], glue: string): Part {
  return {
    exact: parts.map((p) => p.exact).join(glue),
    shape: parts.map((p) => p.shape).join(glue),
    words: parts.map((p) => p.words).join(' '),
  };
}

/** Any other expression: equal to itself only, by its text within one function. */
function opaque(sourceCode: SourceCode, node: Node): Part {
  const source = sourceCode.getText(node);
  const fn = outermostFunction(node);
  return { exact: `<${source}@${fn ? String(identity(fn)) : ''}>`, shape: '*', words: source };
}

function outermostFunction(node: Node): Node | null {
  let found: Node | null = null;
  for (let up = parentOf(node); up; up = parentOf(up)) if (isFunction(up)) found = up;
  return found;
}

/** A shape that names something: constant text, a field or an import; not a bare parameter. */
export const isTelling = (key: Key): boolean => /[^*\s:._-]/.test(key.shape);
/** A key that is nothing but a parameter or a local. */
export const isBareParameter = (key: Key): boolean => key.shape === '*';

const known = new WeakMap<Node, Key>();

/** The key of an expression; for an array of keys, that of its elements. Told once for each expression. */
export function keyFrom(sourceCode: SourceCode, node: Node): Key {
  let key = known.get(node);
  if (!key) {
    const own = keyOf(sourceCode, node);
    const element = mappedElement(sourceCode, node);
    key = element ? { ...element, text: own.text } : own;
    known.set(node, key);
  }
  return key;
}
