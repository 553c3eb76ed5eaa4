/** Expressions: what they may hold, and what Redis commands in them do. */
import { callArguments, isCall, rangeOf, stringValue, type Call, type lua } from './ast.js';
import { commandName } from './commands.js';
import { compare, isComparison } from './compare.js';
import {
  callLibrary,
  concatenation,
  derived,
  element,
  globalValue,
  isRedisCall,
  isRegistration,
  maybeStored,
  valueAt,
  values,
  type Values,
} from './library.js';
import { NOTHING } from './facts.js';
import { HOLE } from './parse.js';
import type { Scope, State } from './state.js';
import type { Trace } from './trace.js';
import {
  constant,
  commonFacts,
  constantOf,
  COUNT,
  eachOption,
  halves,
  input,
  merge,
  NIL,
  only,
  single,
  split,
  under,
  UNKNOWN,
  type Atom,
  type Value,
} from './values.js';

export interface Context {
  readonly trace: Trace;
  readonly scope: Scope;
  /** Nested blocks, expressions and calls above this place. */
  readonly depth: number;
  /** Runs a function of the script itself. */
  invoke(
    declaration: lua.FunctionDeclaration,
    scope: Scope,
    args: Values,
    context: Context,
    state: State,
  ): Values;
  /** Told of each function, whether or not it is called. */
  meet(declaration: lua.FunctionDeclaration, scope: Scope): void;
}

/** Deeper nesting is not looked into. */
export const DEEPEST = 250;

const placeOf = (node: lua.Node): string => `condition at ${String(rangeOf(node)[0])}`;

export function evaluate(node: lua.Expression, outer: Context, state: State): Value {
  if (outer.depth > DEEPEST) return UNKNOWN;
  const context = { ...outer, depth: outer.depth + 1 };
  switch (node.type) {
    case 'NilLiteral':
      return NIL;
    case 'BooleanLiteral':
    case 'NumericLiteral':
      return constant(node.value);
    case 'StringLiteral': {
      const text = stringValue(node);
      return HOLE.test(text) ? input(`'${text}'`, true) : constant(text);
    }
    case 'Identifier':
      return identifier(node, context, state);
    case 'LogicalExpression':
      return logical(node, context, state);
    case 'UnaryExpression':
      return unary(node, context, state);
    case 'BinaryExpression':
      return binary(node, context, state);
    case 'MemberExpression':
      return member(evaluate(node.base, context, state), constant(node.identifier.name));
    case 'IndexExpression':
      return member(evaluate(node.base, context, state), evaluate(node.index, context, state));
    case 'TableConstructorExpression':
      return table(node, context, state);
    case 'FunctionDeclaration':
      context.meet(node, context.scope);
      return only({ kind: 'function', declaration: node, scope: context.scope });
    case 'VarargLiteral':
      return UNKNOWN;
    default:
      return valueAt(call(node, context, state), 0);
  }
}

/** An expression list; the last one may stand for several values. */
export function evaluateAll(nodes: readonly lua.Expression[], context: Context, state: State): Values {
  const list = nodes.slice(0, -1).map((node) => evaluate(node, context, state));
  const last = nodes.at(-1);
  if (!last) return values([]);
  if (last.type === 'VarargLiteral') return values(list, UNKNOWN);
  if (!isCall(last)) return values([...list, evaluate(last, context, state)]);
  const results = call(last, context, state);
  return values([...list, ...results.list], results.rest);
}

function identifier({ name }: lua.Identifier, context: Context, state: State): Value {
  const variable = context.scope.find(name);
  if (variable) return state.read(variable);
  return HOLE.test(name) ? input(name, true) : globalValue(name);
}

function logical(node: lua.LogicalExpression, context: Context, state: State): Value {
  const { truthy, falsy } = halves(evaluate(node.left, context, state), placeOf(node.left));
  const [goesOn, decided] = node.operator === 'and' ? [truthy, falsy] : [falsy, truthy];
  const branch = state.branch(commonFacts(goesOn));
  const right = evaluate(node.right, context, branch);
  if (branch.alive) return merge([...decided, ...under(right, branch.facts)]);
  // `… or error('not yours')`
  if (state.alive) state.assume(commonFacts(decided));
  return decided.length > 0 ? merge(decided) : UNKNOWN;
}

function unary(node: lua.UnaryExpression, context: Context, state: State): Value {
  const argument = evaluate(node.argument, context, state);
  if (node.operator === 'not') {
    const { yes, no } = split(argument, placeOf(node.argument));
    return merge([...(yes ? under(constant(false), yes) : []), ...(no ? under(constant(true), no) : [])]);
  }
  const atom = single(argument);
  if (node.operator === '#') {
    if (atom.kind === 'table') return input(`#${atom.name}`, false);
    return atom.kind === 'unknown' || atom.kind === 'list' ? UNKNOWN : COUNT;
  }
  return atom.kind === 'constant' && typeof atom.value === 'number'
    ? constant(-atom.value)
    : derived(values([argument]), '-');
}

function binary(node: lua.BinaryExpression, context: Context, state: State): Value {
  const left = evaluate(node.left, context, state);
  const right = evaluate(node.right, context, state);
  if (isComparison(node.operator)) return compare(node.operator, left, right, placeOf(node));
  return node.operator === '..' ? concatenation(left, right) : derived(values([left, right]), node.operator);
}

function member(base: Value, index: Value): Value {
  const name = constantOf(index);
  return eachOption(base, (atom) => memberOf(atom, name));
}

function memberOf(atom: Atom, name: ReturnType<typeof constantOf>): Value {
  switch (atom.kind) {
    case 'table':
      return element(atom.name, typeof name === 'number' ? name : null);
    case 'library':
      return only({ kind: 'library', name: `${atom.name}.${String(name)}` });
    case 'list':
      return typeof name === 'number' ? (atom.items[name - 1] ?? NIL) : UNKNOWN;
    case 'stored':
      return maybeStored(`${atom.text}.${String(name)}`);
    case 'input':
      return input(`${atom.text}.${String(name)}`, atom.token);
    case 'status':
      return name === 'ok' ? constant('OK') : NIL;
    default:
      return atom.kind === 'unknown' || atom.kind === 'function' ? UNKNOWN : NIL;
  }
}

function table(node: lua.TableConstructorExpression, context: Context, state: State): Value {
  const isList = node.fields.every((field) => field.type === 'TableValue');
  const items = node.fields.map((field) => field.value);
  if (!isList) return derived(evaluateAll(items, context, state), '{}');
  const { list, rest } = evaluateAll(items, context, state);
  return rest === NIL ? only({ kind: 'list', items: list }) : UNKNOWN;
}

function call(node: Call, context: Context, state: State): Values {
  const { base } = node;
  const isMethod = base.type === 'MemberExpression' && base.indexer === ':';
  const callee = single(evaluate(isMethod ? base.base : base, context, state));
  const args = evaluateAll(callArguments(node), context, state);
  if (isMethod) return values([derived(values([only(callee), ...args.list]), `:${base.identifier.name}()`)]);
  if (callee.kind === 'library' && callee.name === 'table.insert')
    append(callArguments(node)[0], args, context, state);
  return apply(node, callee, args, context, state);
}

function apply(node: Call, callee: Atom, args: Values, context: Context, state: State): Values {
  if (callee.kind === 'function')
    return context.invoke(callee.declaration, callee.scope, args, context, state);
  if (callee.kind !== 'library') return values([], UNKNOWN);
  if (isRedisCall(callee.name)) {
    const name = commandName(args.list[0]);
    const rest = args.rest === NIL ? args.list.slice(1) : [...args.list.slice(1), args.rest];
    return values([name === null ? UNKNOWN : context.trace.run(node, name, rest, state)]);
  }
  if (isRegistration(callee.name)) {
    register(node, args, context, state);
    return values([]);
  }
  if (callee.name === 'pcall') {
    const results = apply(node, single(args.list[0]), values(args.list.slice(1), args.rest), context, state);
    return values([UNKNOWN, ...results.list], results.rest);
  }
  return callLibrary(callee.name, args, state, placeOf(node));
}

/** A function of a library (`#!lua name=…`) is a script of its own, with KEYS and ARGV as its parameters. */
function register(node: Call, args: Values, context: Context, state: State): void {
  const callback = single(valueAt(args, 1));
  const keysAndArguments = values([globalValue('KEYS'), globalValue('ARGV')]);
  const replies = apply(node, callback, keysAndArguments, context, state.branch(NOTHING));
  context.trace.answers.push(...valueAt(replies, 0));
}

/** `table.insert(list, item)` and `list[#list + 1] = item`. */
export function append(list: lua.Expression | undefined, args: Values, context: Context, state: State): void {
  const variable = list?.type === 'Identifier' ? context.scope.find(list.name) : null;
  if (!variable) return;
  const item = args.list.at(-1) ?? UNKNOWN;
  state.write(
    variable,
    eachOption(state.read(variable), (atom) =>
      only(atom.kind === 'list' ? { kind: 'list', items: [...atom.items, item] } : atom),
    ),
  );
}
