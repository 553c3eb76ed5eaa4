/** What becomes of a command's reply. */
import type { Node, SourceCode, Variable } from '../types.js';
import { calleeName, isFunction, isTransparent, parentOf, unwrap } from './ast.js';
import type { RedisCommand } from './commands.js';
import { variableOf } from './values.js';

export type Reply =
  | { use: 'discarded'; statement: Node }
  /** Stored in a variable that nobody reads. */
  | { use: 'unread'; variable: Variable }
  | { use: 'stored'; variable: Variable; declaration: Node }
  | { use: 'returned' | 'tested' | 'passed'; at: Node };

/** Follows the reply of a command from the call to its first real use. */
export function replyOf(sourceCode: SourceCode, command: RedisCommand): Reply {
  if (command.callback) return replyInCallback(sourceCode, command);
  return useOf(sourceCode, command.call);
}

function replyInCallback(sourceCode: SourceCode, command: RedisCommand): Reply {
  const { callback } = command;
  if (!callback) return { use: 'passed', at: command.call };
  const parameter = callback.params[1];
  if (!parameter) return { use: 'discarded', statement: command.call };
  const declared = sourceCode.getDeclaredVariables(callback);
  const reads = declared.filter((v) =>
    v.identifiers.some((id) => id.range[0] >= parameter.range[0] && id.range[1] <= parameter.range[1]),
  );
  const read = reads.some((v) => v.references.some((r) => r.isRead()));
  return read ? { use: 'tested', at: callback } : { use: 'discarded', statement: command.call };
}

function useOf(sourceCode: SourceCode, start: Node): Reply {
  let node = start;
  for (let up = parentOf(node); up; up = parentOf(node)) {
    if (isTransparent(up) || up.type === 'AwaitExpression') {
      node = up;
      continue;
    }
    switch (up.type) {
      case 'ExpressionStatement':
        return { use: 'discarded', statement: up };
      case 'UnaryExpression':
        if (up.operator !== 'void') return { use: 'tested', at: up };
        node = up;
        continue;
      case 'SequenceExpression':
        if (up.expressions.at(-1) !== node) return { use: 'discarded', statement: up };
        node = up;
        continue;
      case 'LogicalExpression':
        // `client && client.del(key)` as a statement
        if (up.right !== node) return { use: 'tested', at: up };
        node = up;
        continue;
      case 'ConditionalExpression':
        if (up.test === node) return { use: 'tested', at: up };
        node = up;
        continue;
      case 'MemberExpression': {
        const chained = chainedPromise(sourceCode, up, node);
        if (chained === null) return { use: 'passed', at: up };
        if (chained.reply) return chained.reply;
        node = chained.call;
        continue;
      }
      case 'VariableDeclarator':
        if (up.init === node && up.id.type === 'Identifier') return storedIn(sourceCode, up.id, up);
        return { use: 'passed', at: up };
      case 'AssignmentExpression': {
        if (up.right !== node || up.left.type !== 'Identifier') return { use: 'passed', at: up };
        return parentOf(up)?.type === 'ExpressionStatement'
          ? storedIn(sourceCode, up.left, up)
          : { use: 'tested', at: up };
      }
      case 'ArrowFunctionExpression':
        return isDropper(up) ? { use: 'discarded', statement: up } : { use: 'returned', at: up };
      case 'ReturnStatement':
        return { use: 'returned', at: up };
      case 'BinaryExpression':
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
      case 'SwitchStatement':
        return { use: 'tested', at: up };
      default:
        return { use: 'passed', at: up };
    }
  }
  return { use: 'passed', at: start };
}

/** Callbacks whose result nobody gets: `.finally(() => …)`, timers. */
function isDropper(fn: Node): boolean {
  const call = parentOf(fn);
  if (call?.type !== 'CallExpression' || call.callee === fn) return false;
  return /^(?:finally|setInterval|setTimeout|setImmediate|forEach)$/.test(calleeName(call) ?? '');
}

function storedIn(sourceCode: SourceCode, id: Node, declaration: Node): Reply {
  const variable = id.type === 'Identifier' ? variableOf(sourceCode, id) : null;
  if (!variable) return { use: 'passed', at: declaration };
  const exported = parentOf(parentOf(declaration) ?? declaration)?.type === 'ExportNamedDeclaration';
  const read = exported || variable.references.some((reference) => reference.isRead());
  return read ? { use: 'stored', variable, declaration } : { use: 'unread', variable };
}

/** `.catch(…)` and `.finally(…)` hand the reply on; `.then(f)` hands it to `f`. Null: not a promise method. */
function chainedPromise(
  sourceCode: SourceCode,
  member: Node,
  object: Node,
): { call: Node; reply?: Reply } | null {
  if (member.type !== 'MemberExpression' || unwrap(member.object) !== unwrap(object)) return null;
  const call = parentOf(member);
  if (call?.type !== 'CallExpression' || call.callee !== member) return null;
  const name = calleeName(call);
  if (name === 'catch' || name === 'finally') return { call };
  if (name !== 'then') return null;
  const handler = call.arguments[0];
  if (!handler) return { call };
  if (!isFunction(handler)) return { call, reply: { use: 'passed', at: call } };
  const parameter = handler.params[0];
  const read =
    parameter && sourceCode.getDeclaredVariables(handler).some((v) => v.references.some((r) => r.isRead()));
  return { call, reply: read ? { use: 'tested', at: handler } : { use: 'discarded', statement: call } };
}

/** The names that an acquire's reply goes by: of the variable it is stored in, also as a boolean or as part of a tuple. */
export function replyNames(sourceCode: SourceCode, call: Node): string[] {
  for (let node = call, up = parentOf(node); up; node = up, up = parentOf(up)) {
    if (up.type === 'VariableDeclarator' && up.init === node) {
      return sourceCode.getDeclaredVariables(up).map((variable) => variable.name);
    }
    if (up.type === 'AssignmentExpression' && up.right === node)
      return up.left.type === 'Identifier' ? [up.left.name] : [];
    if (isFunction(up) || up.type.endsWith('Statement')) return [];
  }
  return [];
}
