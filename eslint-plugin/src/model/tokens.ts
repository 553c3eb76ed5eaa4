/** Where a lock's value comes from: is it made for one acquisition? */
import type { Node, SourceCode } from '../types.js';
import { calleeName, classOf, contains, functionOf, parentOf, propertyName, unwrap } from './ast.js';
import { calledFunction, originOf, returnedExpression, variableOf, type Origin } from './values.js';

export type Token =
  /** Made of a UUID, CSPRNG bytes, or random plus clock. */
  | { kind: 'unique'; site: Node | null }
  | { kind: 'fixed' }
  /** The id of a thing: an order, a user, a machine. */
  | { kind: 'business' }
  /** Clock, pid, host or Math.random alone. */
  | { kind: 'weak'; source: WeakSource }
  /** A unique value that one object or module makes once and uses for many acquisitions. */
  | { kind: 'shared'; site: Node }
  | { kind: 'unknown' };

export type WeakSource = 'clock' | 'pid' | 'host' | 'random' | 'counter';

/** What the parts of a value add to its uniqueness. */
type Part = 'unique' | 'unknown' | 'fixed' | 'business' | WeakSource;

const UNIQUE_CALL =
  /uuid|ulid|nano_?id|cuid|guid|ksuid|xid|randombytes|randomuuid|getrandomvalues|randomfill|objectid|createid|randomstring|random_?(?:hex|token|string|id)|generatetoken|gettoken|newtoken|maketoken|createtoken|flakeid|snowflake/i;
const CLOCK_CALL = /^(?:now|getTime|valueOf|toISOString|hrtime|bigint|Date|unix|timestamp|performance)$/;
const PASS_THROUGH =
  /^(?:String|Number|toString|toFixed|slice|substring|substr|stringify|trim|padStart|padEnd|toUpperCase|toLowerCase|replace|replaceAll|from|digest|update|createHash|join|concat|floor|round|abs|toISOString|getTime|valueOf)$/;

interface Trace {
  parts: Part[];
  /** Where the unique part is made. */
  unique: Node | null;
}

const MAX_DEPTH = 8;

/** Classifies the value that an acquire stores. `keyNodes`: the key's expressions, since a value that repeats the key is no token. */
export function tokenOf(sourceCode: SourceCode, value: Node, keyNodes: readonly Node[] = []): Token {
  const trace: Trace = { parts: [], unique: null };
  collect(sourceCode, value, trace, namesIn(sourceCode, keyNodes), MAX_DEPTH);
  const has = (part: Part): boolean => trace.parts.includes(part);
  if (has('unique')) return { kind: 'unique', site: trace.unique };
  if (has('random') && (has('clock') || has('pid') || has('counter') || has('host')))
    return { kind: 'unique', site: null };
  if (has('unknown')) return { kind: 'unknown' };
  if (has('business')) return { kind: 'business' };
  for (const source of ['clock', 'random', 'pid', 'host', 'counter'] as const) {
    if (has(source)) return { kind: 'weak', source };
  }
  return { kind: 'fixed' };
}

/** The variables that a key is made of. */
function namesIn(sourceCode: SourceCode, nodes: readonly Node[]): ReadonlySet<object> {
  const found = new Set<object>();
  const visit = (node: Node, depth: number): void => {
    if (depth === 0) return;
    const inner = unwrap(node);
    if (inner.type === 'Identifier') {
      const variable = variableOf(sourceCode, inner);
      if (variable) found.add(variable);
      const origin = originOf(sourceCode, inner);
      if (origin.kind === 'value') visit(origin.node, depth - 1);
    } else if (inner.type === 'TemplateLiteral')
      inner.expressions.forEach((e) => {
        visit(e, depth - 1);
      });
    else if (inner.type === 'BinaryExpression')
      [inner.left as Node, inner.right].forEach((e) => {
        visit(e, depth - 1);
      });
    else if (inner.type === 'CallExpression')
      inner.arguments.forEach((e) => {
        visit(e, depth - 1);
      });
  };
  nodes.forEach((node) => {
    visit(node, 4);
  });
  return found;
}

function collect(
  sourceCode: SourceCode,
  expression: Node,
  trace: Trace,
  keyNames: ReadonlySet<object>,
  depth: number,
): void {
  const node = unwrap(expression);
  const add = (part: Part): void => void trace.parts.push(part);
  const inside = (...nodes: (Node | null | undefined)[]): void => {
    for (const inner of nodes) if (inner) collect(sourceCode, inner, trace, keyNames, depth - 1);
  };
  if (depth === 0) {
    add('unknown');
    return;
  }
  switch (node.type) {
    case 'Literal':
      add('fixed');
      return;
    case 'TemplateLiteral':
      add('fixed');
      inside(...node.expressions);
      return;
    case 'BinaryExpression':
      inside(node.left, node.right);
      return;
    case 'UnaryExpression':
      inside(node.argument);
      return;
    case 'UpdateExpression':
      add('counter');
      return;
    case 'ObjectExpression':
      add('fixed');
      for (const property of node.properties)
        inside(property.type === 'Property' ? property.value : property.argument);
      return;
    case 'ArrayExpression':
      inside(...node.elements);
      return;
    case 'LogicalExpression':
    case 'ConditionalExpression': {
      const ways =
        node.type === 'LogicalExpression' ? [node.left, node.right] : [node.consequent, node.alternate];
      // `given ?? randomUUID()`: each way alone must be unique, so one that is not decides.
      const tokens = ways.map((way) => tokenOf(sourceCode, way));
      const worst = ['unknown', 'fixed', 'business', 'weak', 'unique'].find((kind) =>
        tokens.some((t) => t.kind === kind),
      );
      const weak = tokens.find((t) => t.kind === 'weak');
      add(worst === 'weak' && weak ? weak.source : ((worst ?? 'unknown') as Part));
      return;
    }
    case 'NewExpression':
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date')
        add(node.arguments.length === 0 ? 'clock' : 'unknown');
      else
        add(node.callee.type === 'Identifier' && UNIQUE_CALL.test(node.callee.name) ? 'unique' : 'unknown');
      return;
    case 'CallExpression':
      collectCall(sourceCode, node, trace, keyNames, depth);
      return;
    case 'Identifier':
    case 'MemberExpression':
      collectName(sourceCode, node, trace, keyNames, depth);
      return;
    default:
      add('unknown');
  }
}

function collectCall(
  sourceCode: SourceCode,
  node: Extract<Node, { type: 'CallExpression' }>,
  trace: Trace,
  keyNames: ReadonlySet<object>,
  depth: number,
): void {
  const name = calleeName(node) ?? '';
  const callee = unwrap(node.callee);
  const object = callee.type === 'MemberExpression' ? unwrap(callee.object) : null;
  const objectName = object?.type === 'Identifier' ? object.name : '';
  if (
    UNIQUE_CALL.test(name) ||
    (/^(?:v[1-7]|uuid|hex|id)$/i.test(name) && /uuid|ulid|nanoid|chance|faker/i.test(objectName))
  ) {
    trace.parts.push('unique');
    trace.unique ??= node;
    return;
  }
  if (name === 'random') {
    trace.parts.push('random');
    return;
  }
  if (name === 'hostname') {
    trace.parts.push('host');
    return;
  }
  if (
    CLOCK_CALL.test(name) &&
    (objectName === 'Date' ||
      objectName === 'performance' ||
      objectName === 'process' ||
      name === 'Date' ||
      name === 'hrtime')
  ) {
    trace.parts.push('clock');
    return;
  }
  const fn = calledFunction(sourceCode, callee);
  const returned = fn && returnedExpression(sourceCode, fn);
  if (returned) {
    const made: Trace = { parts: [], unique: null };
    collect(sourceCode, returned, made, keyNames, depth - 1);
    trace.parts.push(...made.parts);
    // What a local function makes, it makes at each call.
    if (made.unique) trace.unique ??= node;
    return;
  }
  if (PASS_THROUGH.test(name)) {
    if (object && !/^(?:JSON|Buffer|Math|String|Number|Object|Array|crypto)$/.test(objectName)) {
      collect(sourceCode, object, trace, keyNames, depth - 1);
      return;
    }
    for (const argument of node.arguments) collect(sourceCode, argument, trace, keyNames, depth - 1);
    return;
  }
  trace.parts.push('unknown');
}

function collectName(
  sourceCode: SourceCode,
  node: Extract<Node, { type: 'Identifier' | 'MemberExpression' }>,
  trace: Trace,
  keyNames: ReadonlySet<object>,
  depth: number,
): void {
  const text = node.type === 'MemberExpression' ? sourceCode.getText(node).replaceAll('?.', '.') : node.name;
  if (text === 'process.pid') trace.parts.push('pid');
  else if (/^process\.env\b/.test(text)) trace.parts.push('business');
  else if (/^(?:req|request|ctx|context)\.(?:user|params|body|query|session|auth)\b/.test(text))
    trace.parts.push('business');
  else {
    const origin = originOf(sourceCode, node);
    if (origin.kind === 'value' && origin.node !== node) {
      if (isParameterField(origin.node)) trace.parts.push('unknown');
      else if (!isRepeated(origin)) collect(sourceCode, origin.node, trace, keyNames, depth - 1);
      else trace.parts.push('unknown');
    } else if (origin.kind === 'parameter' && origin.fallback) {
      const fallback = tokenOf(sourceCode, origin.fallback);
      trace.parts.push(fallback.kind === 'unique' ? 'unique' : 'unknown');
    } else trace.parts.push(isIdInKey(sourceCode, node, keyNames) ? 'business' : 'unknown');
  }
}

const isParameterField = (node: Node): boolean => parentOf(node)?.type === 'TSParameterProperty';

/** `let n = 0; … n += 1` and the like: what is stored cannot be told from one of its writes. */
const isRepeated = (origin: Extract<Origin, { kind: 'value' }>): boolean =>
  parentOf(origin.site)?.type === 'UpdateExpression';

/** A name such as `userId` that is part of the key as well: the value says which thing, not which acquisition. */
function isIdInKey(sourceCode: SourceCode, node: Node, keyNames: ReadonlySet<object>): boolean {
  if (node.type !== 'Identifier') return false;
  const variable = variableOf(sourceCode, node);
  return variable !== null && keyNames.has(variable) && /id$|key$|name$|^id$|^name$/i.test(node.name);
}

/**
 * A unique value made outside of the acquiring function is shared by all acquisitions of its module or object.
 * That is right for a key that is as fixed as the value (leader election), and wrong for a key that callers choose.
 */
export function sharedToken(
  sourceCode: SourceCode,
  token: Token,
  acquire: Node,
  keyNodes: readonly Node[],
): Token {
  if (token.kind !== 'unique' || !token.site) return token;
  const fn = functionOf(acquire);
  const outer = outermost(fn);
  if (!fn || !outer || contains(outer, token.site)) return token;
  if (token.site.type === 'Identifier' || functionOf(token.site) !== null) {
    const made = functionOf(token.site);
    // Made in a constructor, for as long as the object lives; made in any other function, we can't tell.
    const method = made && parentOf(made);
    if (!(method?.type === 'MethodDefinition' && method.kind === 'constructor')) return token;
  }
  const cls = classOf(acquire);
  const perObject = cls !== null && contains(cls, token.site);
  if (!keyNodes.some((key) => dependsOnCaller(sourceCode, key))) return token;
  if (perObject || classOf(token.site) === null) return { kind: 'shared', site: token.site };
  return token;
}

function outermost(fn: Node | null): Node | null {
  let found = fn;
  for (let up = fn; up; up = functionOf(up)) found = up;
  return found;
}

/** Does a key depend on what a method's caller passes, not only on constants and fields? */
function dependsOnCaller(sourceCode: SourceCode, key: Node, depth = 6): boolean {
  if (depth === 0) return false;
  const node = unwrap(key);
  const inside = (...nodes: readonly Node[]): boolean =>
    nodes.some((n) => dependsOnCaller(sourceCode, n, depth - 1));
  switch (node.type) {
    case 'TemplateLiteral':
      return inside(...node.expressions);
    case 'BinaryExpression':
      return inside(node.left, node.right);
    case 'CallExpression':
      return inside(...node.arguments);
    case 'MemberExpression':
      return propertyName(node) !== null && unwrap(node.object).type === 'Identifier' && inside(node.object);
    case 'Identifier': {
      const origin = originOf(sourceCode, node);
      if (origin.kind === 'parameter') {
        const method = parentOf(origin.fn);
        return !(method?.type === 'MethodDefinition' && method.kind === 'constructor');
      }
      return origin.kind === 'value' && inside(origin.node);
    }
    default:
      return false;
  }
}
