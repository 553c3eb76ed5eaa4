/** Did the code read the key and compare before it deletes? That is GET, compare, DEL: three steps. */
import type { FunctionNode, Node } from '../types.js';
import { calleeName, functionsAround, isFunction, parentOf, someNode, unwrap, walk } from './ast.js';
import { batchOf, type RedisCommand } from './commands.js';
import type { FileFacts } from './file.js';
import { equalSides, factsAt, leaves, type Fact } from './guards.js';
import { keyOf } from './keys.js';
import { calledFunction, originOf, returnsOf, variableOf } from './values.js';

export interface OwnershipCheck {
  /** The command that read the key. */
  get: RedisCommand;
  /** What the stored value was compared with. */
  token: Node;
  /** The comparison, and the statement or expression it steers. */
  fact: Fact;
  /** Was the comparison made here, or in a function that was called for it? */
  direct: boolean;
}

const MAX_DEPTH = 6;

/** The check that guards a deletion, if there is one. */
export function ownershipCheck(file: FileFacts, command: RedisCommand): OwnershipCheck | null {
  for (const fact of factsAt(command.call)) {
    const found = checkIn(file, fact, command);
    if (found) return found;
  }
  return mismatchBefore(file, command);
}

/** An `if (current !== token) return` before the deletion, on some of the ways that lead to it. */
function mismatchBefore(file: FileFacts, command: RedisCommand): OwnershipCheck | null {
  const [fn] = functionsAround(command.call);
  if (!fn) return null;
  let found: OwnershipCheck | null = null;
  walk(fn.body, file.sourceCode.visitorKeys, (node) => {
    if (found || node.range[0] > command.call.range[0] || isFunction(node)) return false;
    if (node.type === 'IfStatement' && leaves(node.consequent) && node.range[1] <= command.call.range[0]) {
      for (const condition of leavesOf(node.test)) {
        found ??= checkIn(file, { condition, holds: false, source: node }, command);
      }
    }
    return undefined;
  });
  return found;
}

/** The comparisons that a test is made of, whatever joins them. */
function leavesOf(test: Node): Node[] {
  const node = unwrap(test);
  return node.type === 'LogicalExpression' ? [...leavesOf(node.left), ...leavesOf(node.right)] : [node];
}

function checkIn(file: FileFacts, fact: Fact, del: RedisCommand): OwnershipCheck | null {
  const sides = equalSides(fact);
  if (sides) {
    for (const [stored, token] of [sides, [sides[1], sides[0]]] as [Node, Node][]) {
      if (isNothing(token)) continue;
      const get = readBehind(file, stored, MAX_DEPTH);
      if (get && sameKeys(file, get, del)) return { get, token, fact, direct: true };
    }
    return null;
  }
  // `if (await this.isMine())` and `if (!(await this.isMine())) throw`: the comparison is one call away.
  if (!fact.holds || fact.condition.type !== 'CallExpression') return null;
  const fn = calledFunction(file.sourceCode, fact.condition.callee);
  return fn ? checkInside(file, fn, fact, del) : null;
}

function checkInside(
  file: FileFacts,
  fn: FunctionNode,
  fact: Fact,
  del: RedisCommand,
): OwnershipCheck | null {
  const answers =
    fn.body.type === 'BlockStatement' ? returnsOf(file.sourceCode, fn).map((r) => r.argument) : [fn.body];
  for (const answer of answers) {
    const sides = answer && equalSides({ condition: unwrap(answer), holds: true, source: answer });
    for (const [stored, token] of sides ? [sides, [sides[1], sides[0]]] : []) {
      if (!stored || !token || isNothing(token)) continue;
      const get = readBehind(file, stored, MAX_DEPTH);
      if (get && sameKeys(file, get, del, true)) return { get, token, fact, direct: false };
    }
  }
  return null;
}

const isNothing = (node: Node): boolean => {
  const inner = unwrap(node);
  return (
    (inner.type === 'Literal' && (inner.value === null || typeof inner.value === 'boolean')) ||
    (inner.type === 'Identifier' && inner.name === 'undefined')
  );
};

function sameKeys(file: FileFacts, get: RedisCommand, del: RedisCommand, loosely = false): boolean {
  if (get.op === 'mget' || get.queued) return shareFunction(get.call, del.call);
  const read = get.keys[0];
  if (!read) return false;
  const left = keyOf(file.sourceCode, read);
  return del.keys.some((key) => {
    const right = keyOf(file.sourceCode, key);
    if (left.exact === right.exact) return true;
    const apart = loosely || !shareFunction(get.call, del.call);
    return apart && left.shape === right.shape;
  });
}

function shareFunction(a: Node, b: Node): boolean {
  const around = new Set(functionsAround(a));
  return functionsAround(b).some((fn) => around.has(fn));
}

/** The GET whose reply an expression holds, whole or in part. */
function readBehind(file: FileFacts, expression: Node, depth: number): RedisCommand | null {
  if (depth === 0) return null;
  const node = unwrap(expression);
  const next = (inner: Node): RedisCommand | null => readBehind(file, inner, depth - 1);
  switch (node.type) {
    case 'CallExpression':
      return readByCall(file, node, depth);
    case 'Identifier':
      return readByName(file, node, depth);
    case 'MemberExpression':
      return next(node.object);
    case 'ConditionalExpression':
      return next(node.consequent) ?? next(node.alternate);
    case 'LogicalExpression':
      return next(node.left) ?? next(node.right);
    default:
      return null;
  }
}

function readByCall(file: FileFacts, node: Node, depth: number): RedisCommand | null {
  if (node.type !== 'CallExpression') return null;
  const command = file.commandOf.get(node);
  if (command) return command.op === 'get' || command.op === 'mget' ? command : null;
  const name = calleeName(node);
  if (name === 'exec') {
    const callee = unwrap(node.callee);
    const batch = callee.type === 'MemberExpression' ? batchOf(file.sourceCode, callee.object) : null;
    const queued = file.commands.find(
      (c) => c.op === 'get' && batchOf(file.sourceCode, c.receiver) === batch,
    );
    return batch && queued ? queued : null;
  }
  if (name === 'parse' || name === 'String' || name === 'Number' || name === 'parseInt') {
    return node.arguments[0] ? readBehind(file, node.arguments[0], depth - 1) : null;
  }
  const callee = unwrap(node.callee);
  const fn = calledFunction(file.sourceCode, callee);
  if (fn) {
    const answers = fn.body.type === 'BlockStatement' ? returnsOf(file.sourceCode, fn) : [];
    for (const answer of answers) {
      const found = answer.argument && readBehindObject(file, answer.argument, depth - 1);
      if (found) return found;
    }
    return fn.body.type === 'BlockStatement' ? null : readBehind(file, fn.body, depth - 1);
  }
  // value.toString(), promise.then(…), results.map(…)
  return callee.type === 'MemberExpression' ? readBehind(file, callee.object, depth - 1) : null;
}

/** A returned object holds the reply when one of its properties does. */
function readBehindObject(file: FileFacts, node: Node, depth: number): RedisCommand | null {
  const inner = unwrap(node);
  if (inner.type !== 'ObjectExpression') return readBehind(file, inner, depth);
  for (const property of inner.properties) {
    const value = property.type === 'Property' ? property.value : property.argument;
    const found = readBehind(file, value, depth - 1);
    if (found) return found;
  }
  return null;
}

function readByName(file: FileFacts, node: Node, depth: number): RedisCommand | null {
  if (node.type !== 'Identifier') return null;
  const variable = variableOf(file.sourceCode, node);
  const def = variable?.defs[0];
  if (!variable || !def) return null;
  if (def.type === ('Parameter' as never)) return readByParameter(file, def.node, def.name, depth);
  for (const reference of variable.references) {
    const value = reference.isWrite() ? reference.writeExpr : null;
    const found = value && readBehind(file, value, depth - 1);
    if (found) return found;
  }
  const declared = def.node as unknown as Node;
  const loop = parentOf(parentOf(declared) ?? declared);
  if (loop?.type === 'ForOfStatement') return readBehind(file, loop.right, depth - 1);
  const origin = originOf(file.sourceCode, node);
  return origin.kind === 'value' ? readBehind(file, origin.node, depth - 1) : null;
}

/** The parameter of a callback: `client.get(key, (err, value) => …)`, `.then((value) => …)`, `owners.forEach((owner) => …)`. */
function readByParameter(file: FileFacts, fn: Node, name: Node, depth: number): RedisCommand | null {
  if (!isFunction(fn)) return null;
  const call = parentOf(fn);
  if (call?.type !== 'CallExpression') return null;
  const command = file.commandOf.get(call);
  const index = fn.params.findIndex((p) => p.range[0] <= name.range[0] && name.range[1] <= p.range[1]);
  if (command?.callback === fn) return index === 1 && command.op === 'get' ? command : null;
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression' || index !== 0) return null;
  return readBehind(file, callee.object, depth - 1);
}

/** Does the acquire's own function take a key that already holds its value for taken? Then one owner for many acquisitions is meant. */
export function isReentrant(
  model: { file: FileFacts },
  lock: { acquire: { call: Node; value: Node | null } },
): boolean {
  const { file } = model;
  const { call, value } = lock.acquire;
  const [fn] = functionsAround(call);
  if (!fn || !value) return false;
  const stored = file.sourceCode.getText(unwrap(value));
  return someNode(fn.body, file.sourceCode.visitorKeys, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return false;
    const sides = [node.left as Node, node.right];
    return sides.some((side, i) => {
      const other = sides[1 - i];
      return (
        file.sourceCode.getText(unwrap(side)) === stored &&
        other !== undefined &&
        readBehind(file, other, MAX_DEPTH) !== null
      );
    });
  });
}
