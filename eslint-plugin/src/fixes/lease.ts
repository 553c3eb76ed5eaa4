/** The whole edit for a lock that is taken, tested and released in one function: `tryAcquireLease` and `releaseLease`. */
import { functionOf, parentOf, unwrap, wrapped } from '../model/ast.js';
import { clientOf } from '../model/clients.js';
import { replyNode, scriptNodeOf, type RedisCommand } from '../model/commands.js';
import { factsAt } from '../model/guards.js';
import { keyFrom } from '../model/keys.js';
import type { Model } from '../model/index.js';
import type { Release } from '../model/acts.js';
import type { Lock } from '../model/locks.js';
import { replyOf } from '../model/replies.js';
import { sharedToken, tokenOf } from '../model/tokens.js';
import { variableOf } from '../model/values.js';
import type { CallExpression, Node, Scope, SourceCode, TSESTree, Variable } from '../types.js';
import { once } from '../once.js';
import { newlineOf } from './import/text.js';
import { isPure, millisecondsText, removeUnreadConstants, type Milliseconds } from './pure.js';
import { dropsComment, replaceNode, type Edit, type Repair } from './repair.js';
import { clientSupport, runtimeFound, runtimeNames } from './runtime.js';
import { removeToken } from './token.js';
import { isDropped, isInScope, visibleName } from './uses.js';

export interface LockContext {
  sourceCode: SourceCode;
  filename: string;
  model: Model;
  lock: Lock | null;
  /** Swap a lock that compares its token, too: the lease holds the token then. */
  swapCorrect?: boolean;
}

/** Null where the lock spreads over functions, or where a part of it has uses that the runtime can't serve. */
export function repairLock(context: LockContext): Repair | null {
  const { sourceCode, filename, model, lock, swapCorrect = false } = context;
  const command = lock?.acquire.command;
  const receiver = command?.receiver;
  if (!lock || command?.op !== 'set' || !receiver || !command.value) return null;
  if (isOptional(command.call) || command.options.get || command.callback) return null;
  if (!isPure(receiver) || !isPure(lock.acquire.keyNode)) return null;
  if (
    !releasesAreSimple(lock, command, swapCorrect ? 'script' : 'blind') ||
    !hasNoOtherUse(model, lock, command)
  )
    return null;
  const support = clientSupport(sourceCode, receiver);
  if (support === 'no' || !spellingFits(sourceCode, command, support)) return null;

  const token = sharedToken(sourceCode, tokenOf(sourceCode, command.value), command.call, [
    lock.acquire.keyNode,
  ]);
  const held =
    token.kind === 'unique' && !swapCorrect ? namedToken(sourceCode, command.value, lock.releases) : null;
  if (held !== null) return releaseByToken(context, lock, command, receiver, held, support === 'seen');

  const ttl = ttlText(sourceCode, command);
  const taken = ttl && takenReply(sourceCode, command);
  if (!ttl || !taken) return null;
  if (!lock.releases.every((release) => isInScope(sourceCode, command.call, release.call))) return null;
  const names = runtimeNames(sourceCode, filename, ['tryAcquireLease', 'releaseLease'], command.call);
  if (!names) return null;
  const lease = freeName(sourceCode, command.call, taken.variable);
  const client = sourceCode.getText(receiver);
  const key = sourceCode.getText(lock.acquire.keyNode);
  const acquire = `await ${names.local.tryAcquireLease ?? ''}(${client}, ${key}, { ttlMs: ${ttl.text} })`;
  const releases = lock.releases.map((release) =>
    replaceNode(release.call, `${names.local.releaseLease ?? ''}(${lease})`),
  );
  const gone = [command.value, ...lock.releases.map((release) => release.call)];
  const around = swapCorrect
    ? removeToken(sourceCode, command.value, gone, names.edits)
    : [...names.edits, ...removeUnreadConstants(sourceCode, [command.value])];
  if (!around) return null;
  const scripts = swapCorrect ? lock.releases.flatMap((release) => scriptNodeOf(release.command) ?? []) : [];
  const edits = [
    ...around,
    ...taken.edits(lease, acquire),
    ...releases,
    ...removeUnreadConstants(sourceCode, scripts),
  ];
  if (edits.some((edit) => dropsComment(sourceCode, edit.range))) return null;
  return {
    edits,
    safe:
      !swapCorrect &&
      support === 'seen' &&
      ttl.sure &&
      lock.releases.every((r) => knowsLease(sourceCode, r, taken.variable)),
    runtimeFound: runtimeFound(sourceCode, filename),
    title: 'useLease',
    data: { key },
  };
}

/** `redis?.set(…)`: without a client nothing is locked, and the runtime has no such way. */
const isOptional = (call: CallExpression): boolean =>
  call.optional || (call.callee.type === 'MemberExpression' && call.callee.optional);

/** The token is right already and in reach of the DEL: only the release changes. */
function releaseByToken(
  context: LockContext,
  lock: Lock,
  command: RedisCommand,
  receiver: Node,
  token: string,
  seen: boolean,
): Repair | null {
  const { sourceCode, filename } = context;
  const names = runtimeNames(sourceCode, filename, ['releaseLease'], command.call);
  if (!names) return null;
  const client = sourceCode.getText(receiver);
  const key = sourceCode.getText(lock.acquire.keyNode);
  const call = `${names.local.releaseLease ?? ''}(${client}, ${key}, ${token})`;
  const reply = replyOf(sourceCode, command);
  return {
    edits: [...names.edits, ...lock.releases.map((release) => replaceNode(release.call, call))],
    safe: seen && (reply.use === 'tested' || reply.use === 'stored'),
    runtimeFound: runtimeFound(sourceCode, filename),
    title: 'releaseByToken',
    data: { client, key, token },
  };
}

/** The name of a constant that holds the token and can be read at every release. */
function namedToken(sourceCode: SourceCode, value: Node, releases: readonly Release[]): string | null {
  const node = unwrap(value);
  return node.type === 'Identifier'
    ? visibleName(
        sourceCode,
        node,
        releases.map((r) => r.call),
      )
    : null;
}

/** Every release is of one kind and of this one key, in the acquire's own function, with its reply unused. */
function releasesAreSimple(lock: Lock, command: RedisCommand, kind: 'blind' | 'script'): boolean {
  const fn = functionOf(command.call);
  return lock.releases.every((release) => {
    if (release.kind !== kind || release.command?.keys.length !== 1 || release.command.callback) return false;
    if (release.key.exact !== lock.acquire.key.exact) return false;
    if (functionOf(release.call) !== fn && !isFinallyCallback(release.call)) return false;
    return isDropped(release.call);
  });
}

/** `.finally(() => redis.del(key))`: the closure runs in the acquire's own flow. */
function isFinallyCallback(call: Node): boolean {
  const fn = functionOf(call);
  const outer = fn && parentOf(fn);
  return (
    outer?.type === 'CallExpression' &&
    /\bfinally$/.test((outer.callee as { property?: { name?: string } }).property?.name ?? '')
  );
}

/** No renewal, read or release of the key elsewhere, and no second acquire of it. */
function hasNoOtherUse(model: Model, lock: Lock, command: RedisCommand): boolean {
  const known = new Set<RedisCommand | null>([command, ...lock.releases.map((r) => r.command)]);
  return model.file
    .commandsOn(lock.acquire.key)
    .every(
      (other) =>
        known.has(other) ||
        other.keys.every((key) => keyFrom(model.file.sourceCode, key).exact !== lock.acquire.key.exact),
    );
}

/** An option spelling that this client really reads; with an unknown client, its own usual one. */
function spellingFits(sourceCode: SourceCode, command: RedisCommand, support: 'seen' | 'likely'): boolean {
  const { spelling, nx } = command.options;
  if (!nx) return false;
  if (support === 'likely')
    return spelling === 'positional' || spelling === 'upper' || spelling === 'condition';
  const client = command.receiver && clientOf(sourceCode, command.receiver);
  return client === 'ioredis' ? spelling === 'positional' : spelling === 'upper' || spelling === 'condition';
}

function ttlText(sourceCode: SourceCode, command: RedisCommand): Milliseconds | null {
  const { ttl } = command.options;
  return ttl && ttl.unit !== 'unix' ? millisecondsText(sourceCode, ttl.node, ttl.unit) : null;
}

interface TakenReply {
  variable: Variable | null;
  edits: (lease: string, acquire: string) => Edit[];
}

/** How the reply of the acquire is tested, and the edits that test a lease instead. */
function takenReply(sourceCode: SourceCode, command: RedisCommand): TakenReply | null {
  const reply = wrapped(replyNode(command.call));
  if (unwrap(reply) !== command.call || !hasAwait(reply)) return null;
  const up = parentOf(reply);
  if (!up) return null;
  if (up.type === 'VariableDeclarator') return declaredReply(sourceCode, up, null);
  const compared = comparisonOf(reply);
  const outer = compared ? parentOf(compared.node) : null;
  if (compared && outer?.type === 'VariableDeclarator')
    return declaredReply(sourceCode, outer, compared.taken);
  return inlineReply(sourceCode, compared?.node ?? reply, compared?.taken ?? true);
}

function hasAwait(node: Node): boolean {
  for (let inner = node; ;) {
    if (inner.type === 'AwaitExpression') return true;
    const next = (inner as { expression?: Node }).expression;
    if (!next) return false;
    inner = next;
  }
}

/** `const ok = await redis.set(…)`, and `const ok = (await redis.set(…)) === 'OK'`. */
function declaredReply(
  sourceCode: SourceCode,
  declarator: TSESTree.VariableDeclarator,
  taken: boolean | null,
): TakenReply | null {
  const declaration = declarator.parent;
  if (declaration.kind !== 'const' || declarator.id.type !== 'Identifier' || taken === false) return null;
  if (parentOf(declaration)?.type === 'ExportNamedDeclaration') return null;
  const variable = variableOf(sourceCode, declarator.id);
  if (!variable) return null;
  const tests: { node: Node; taken: boolean }[] = [];
  for (const reference of variable.references) {
    if (!reference.isRead()) continue;
    const use = wrapped(reference.identifier);
    const compared = taken === null ? comparisonOf(use) : null;
    const test = compared ?? { node: use, taken: true };
    if (!isTest(test.node)) return null;
    tests.push(test);
  }
  if (tests.length === 0) return null;
  const id = declarator.id;
  return {
    variable,
    edits: (lease, acquire) => [
      { range: [id.range[0], declarator.range[1]], text: `${lease} = ${acquire}` },
      ...tests.map((test) => replaceNode(test.node, test.taken ? lease : `!${lease}`)),
    ],
  };
}

/** `if ((await redis.set(…)) !== 'OK') return;`: the lease is declared before the statement. */
function inlineReply(sourceCode: SourceCode, test: Node, taken: boolean): TakenReply | null {
  const negated =
    parentOf(test)?.type === 'UnaryExpression' ? (parentOf(test) as TSESTree.UnaryExpression) : null;
  const whole: Node = negated?.operator === '!' ? negated : test;
  const statement = parentOf(whole);
  if (statement?.type !== 'IfStatement' || statement.test !== whole) return null;
  const block = parentOf(statement);
  if (block?.type !== 'BlockStatement' && block?.type !== 'Program') return null;
  const positive = negated ? !taken : taken;
  const indent = ' '.repeat(statement.loc.start.column);
  return {
    variable: null,
    edits: (lease, acquire) => [
      {
        range: [statement.range[0], statement.range[0]],
        text: `const ${lease} = ${acquire};${newlineOf(sourceCode)}${indent}`,
      },
      replaceNode(whole, positive ? lease : `!${lease}`),
    ],
  };
}

/** `reply === 'OK'`, `reply !== null` and the like: the comparison, and whether it is true when the lock was taken. */
function comparisonOf(reply: Node): { node: Node; taken: boolean } | null {
  const up = parentOf(reply);
  if (up?.type !== 'BinaryExpression') return null;
  const other = unwrap((up.left as Node) === reply ? up.right : up.left);
  const equal = /^={2,3}$/.test(up.operator);
  if (!equal && !/^!={1,2}$/.test(up.operator)) return null;
  if (other.type === 'Literal' && other.value === 'OK') return { node: wrapped(up), taken: equal };
  const nothing =
    (other.type === 'Literal' && other.value === null) ||
    (other.type === 'Identifier' && other.name === 'undefined');
  return nothing ? { node: wrapped(up), taken: !equal } : null;
}

/** Is the node read as a condition alone, so that an object may stand for a boolean? */
function isTest(node: Node): boolean {
  const up = parentOf(node);
  switch (up?.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return up.test === node;
    case 'UnaryExpression':
      return up.operator === '!';
    case 'LogicalExpression':
      return up.operator !== '??' && isTest(wrapped(up));
    default:
      return false;
  }
}

/** At the release, is the lease known to be there: behind `if (!lease) return` or inside `if (lease)`? */
function knowsLease(sourceCode: SourceCode, release: Release, variable: Variable | null): boolean {
  for (const fact of factsAt(release.call)) {
    if (!variable) {
      if (unwrap(fact.condition).type === 'BinaryExpression' || fact.condition.type === 'CallExpression')
        return true;
      continue;
    }
    const sides =
      fact.condition.type === 'BinaryExpression'
        ? [fact.condition.left as Node, fact.condition.right]
        : [fact.condition];
    if (sides.some((side) => side.type === 'Identifier' && variableOf(sourceCode, side) === variable))
      return true;
  }
  return false;
}

const namesThrough = once(
  (scope: Scope) => new Set(scope.through.map(({ identifier }) => (identifier as { name: string }).name)),
);

/** A name for the lease that nothing around uses; the reply's own name when that is free to change. */
function freeName(sourceCode: SourceCode, at: Node, replaced: Variable | null): string {
  const taken = (name: string): boolean => {
    for (let scope: Scope | null = sourceCode.getScope(at); scope; scope = scope.upper) {
      const found = scope.set.get(name);
      if ((found && found !== replaced) || namesThrough(scope).has(name)) return true;
    }
    return false;
  };
  for (const name of ['lease', 'lockLease', 'heldLease']) if (!taken(name)) return name;
  for (let n = 2; ; n++) if (!taken(`lease${String(n)}`)) return `lease${String(n)}`;
}
