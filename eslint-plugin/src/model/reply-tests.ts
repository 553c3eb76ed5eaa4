/** Tests of an acquire's reply that say nothing about the acquire. */
import type { Node, SourceCode } from '../types.js';
import { calleeName, parentOf, unwrap, wrapped } from './ast.js';
import { clientOf } from './clients.js';
import { replyNode, type RedisCommand } from './commands.js';
import { replyOf } from './replies.js';
import { installedMajor } from '../project/index.js';

export interface BrokenTest {
  reason: string;
  inverted: boolean;
}

type Test = { kind: 'truthy' } | { kind: 'compare'; value: unknown; equal: boolean };

/** A test of the reply that can't tell taken from held; null when all of its tests can, or when they can't be seen. */
export function brokenTest(
  sourceCode: SourceCode,
  filename: string,
  command: RedisCommand,
): BrokenTest | null {
  const tests = testsOf(sourceCode, command);
  if (tests.length === 0) return null;
  if (answersTrue(sourceCode, filename, command)) {
    return { reason: 'redis 3 and older answer true to every call without a callback', inverted: false };
  }
  if (command.options.get) {
    const wrong = tests.some(({ test, at }) => test.kind === 'truthy' && !isNegated(at));
    return wrong ? { reason: '', inverted: true } : null;
  }
  for (const { test } of tests) {
    if (test.kind !== 'compare') continue;
    if (command.op === 'setnx' && test.value === null) {
      return { reason: 'SETNX answers 1 or 0, never null', inverted: false };
    }
    if (command.op === 'setnx' && test.value === 'OK') {
      return { reason: "SETNX answers 1 or 0, never 'OK'", inverted: false };
    }
    const boolean = typeof test.value === 'boolean';
    if (command.op === 'setnx' && (boolean || typeof test.value === 'number')) {
      const reason = setnxReply(sourceCode, filename, command, boolean);
      if (reason) return { reason, inverted: false };
    }
  }
  return bothAccepted(tests);
}

/** Awaiting a command of redis 3: without a callback it answers true, whatever the server says later. */
function answersTrue(sourceCode: SourceCode, filename: string, command: RedisCommand): boolean {
  const { receiver, callback, call } = command;
  if (!receiver || callback || clientOf(sourceCode, receiver) !== 'node-redis') return false;
  if (
    call.arguments.some(
      (argument) => argument.type === 'Identifier' && /^(?:cb|callback|done|next)$/.test(argument.name),
    )
  )
    return false;
  const plain = /^(?:set|setnx)$/i.test(calleeName(call) ?? '');
  const major = installedMajor(filename, 'redis');
  return plain && major !== null && major <= 3;
}

interface FoundTest {
  test: Test;
  at: Node;
}

const isNegated = (node: Node): boolean => parentOf(node)?.type === 'UnaryExpression';

/** node-redis 4 answers true and false to setNX, 5 and later 1 and 0. */
function setnxReply(
  sourceCode: SourceCode,
  filename: string,
  command: RedisCommand,
  boolean: boolean,
): string | null {
  const receiver = command.receiver;
  if (!receiver || clientOf(sourceCode, receiver) !== 'node-redis') return null;
  const major = installedMajor(filename, 'redis');
  if (major === null) return null;
  if (boolean && major >= 5)
    return `setNX of node-redis ${String(major)} answers 1 or 0, never true or false`;
  if (!boolean && major === 4) return 'setNX of node-redis 4 answers true or false, never 1 or 0';
  return null;
}

/** `reply === 'OK' || reply === null` accepts both answers. */
function bothAccepted(tests: readonly FoundTest[]): BrokenTest | null {
  for (const { test, at } of tests) {
    if (test.kind !== 'compare' || !test.equal || test.value !== 'OK') continue;
    const or = parentOf(at);
    if (or?.type !== 'LogicalExpression' || or.operator !== '||') continue;
    const other = tests.find((t) => t.at !== at && parentOf(t.at) === or);
    if (other?.test.kind === 'compare' && other.test.equal && other.test.value === null) {
      return { reason: "it accepts 'OK' (taken) and null (held by somebody else) alike", inverted: false };
    }
  }
  return null;
}

function testsOf(sourceCode: SourceCode, command: RedisCommand): FoundTest[] {
  const reply = replyOf(sourceCode, command);
  if (reply.use === 'tested') return testAt(wrapped(replyNode(command.call)));
  if (reply.use !== 'stored') return [];
  const uses = reply.variable.references.filter((r) => r.isRead()).map((r) => wrapped(r.identifier as Node));
  return uses.flatMap(testAt);
}

function testAt(node: Node): FoundTest[] {
  const up = parentOf(node);
  if (up?.type === 'BinaryExpression' && /^[!=]==?$/.test(up.operator)) {
    const other = unwrap((up.left as Node) === node ? up.right : up.left);
    if (other.type !== 'Literal') return [];
    return [
      { test: { kind: 'compare', value: other.value, equal: up.operator.startsWith('=') }, at: wrapped(up) },
    ];
  }
  const condition =
    (up?.type === 'IfStatement' || up?.type === 'ConditionalExpression' || up?.type === 'WhileStatement') &&
    up.test === node;
  const negated = up?.type === 'UnaryExpression' && up.operator === '!';
  return condition || negated ? [{ test: { kind: 'truthy' }, at: node }] : [];
}
