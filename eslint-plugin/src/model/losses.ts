/** Renewals and redlock handles whose failure stops nothing. */
import type { CallExpression, FunctionNode, Node, SourceCode } from '../types.js';
import type { Release } from './acts.js';
import {
  calleeName,
  functionOf,
  isFunction,
  parentOf,
  propertyName,
  unwrap,
  someNode,
  wrapped,
} from './ast.js';
import { replyNode } from './commands.js';
import type { FileFacts } from './file.js';
import { isOnTimer } from './links.js';
import { replyOf } from './replies.js';
import { isRenewalScript } from './renewals.js';
import { calledFunction, originOf, returnedExpression } from './values.js';
import type { Model } from './index.js';

export interface IgnoredLoss {
  call: CallExpression;
  /** What is lost: the key, or the lock object, as written. */
  what: string;
  how: 'dropped' | 'swallowed';
}

/** Renewals that compare and extend, whose 0 nobody hears. */
export function droppedRenewals(model: Model): IgnoredLoss[] {
  const { file } = model;
  const renewals = [...model.locks.flatMap((lock) => lock.renewals), ...model.strayRenewals];
  const direct = renewals
    .filter((renewal) => renewal.kind === 'script' && renewal.command !== null && !renewal.command.queued)
    .filter((renewal) => renewal.command !== null && isDropped(replyOf(file.sourceCode, renewal.command).use))
    .map((renewal) => ({ call: renewal.call, what: renewal.key.text, how: 'dropped' as const }));
  return unique([...direct, ...droppedHelpers(file)]);
}

const isDropped = (use: string): boolean => use === 'discarded' || use === 'unread';

/** A function of this file that answers whether the renewal worked, called on a timer with its answer dropped. */
function droppedHelpers(file: FileFacts): IgnoredLoss[] {
  return file.calls.flatMap((call) => {
    if (file.commandOf.has(call) || !isOnTimer(call, null)) return [];
    const fn = calledFunction(file.sourceCode, call.callee);
    if (!fn || !answersRenewal(file, fn) || !isDiscardedCall(call)) return [];
    return [
      { call, what: file.sourceCode.getText(call.arguments[0] ?? call.callee), how: 'dropped' as const },
    ];
  });
}

function answersRenewal(file: FileFacts, fn: FunctionNode): boolean {
  const answer = returnedExpression(file.sourceCode, fn);
  if (!answer) return false;
  return someNode(answer, file.sourceCode.visitorKeys, (node) => {
    const command = file.commandOf.get(node);
    return command !== undefined && isRenewalScript(command);
  });
}

function isDiscardedCall(call: CallExpression): boolean {
  let node: Node = wrapped(replyNode(call));
  for (let up = parentOf(node); up; up = parentOf(node)) {
    if (up.type === 'ExpressionStatement') return true;
    const chained = up.type === 'MemberExpression' ? parentOf(up) : null;
    if (up.type === 'UnaryExpression' && up.operator === 'void') node = up;
    else if (chained?.type === 'CallExpression' && calleeName(chained) === 'catch') node = wrapped(chained);
    else if (up.type === 'ArrowFunctionExpression') return isOnTimer(up, functionOf(up));
    else return false;
  }
  return false;
}

export interface EndlessRenewal {
  timer: CallExpression;
  releases: readonly Release[];
}

/** Timers that renew a lock of their own function and are never stopped, also not when the lock is given back. */
export function endlessRenewals(model: Model): EndlessRenewal[] {
  const found = new Map<CallExpression, EndlessRenewal>();
  for (const { acquire, releases, renewals } of model.locks) {
    const fn = functionOf(acquire.call);
    if (!fn || !releases.some((release) => release.place.functions.includes(fn))) continue;
    for (const renewal of renewals) {
      const timer = timerAround(renewal.call);
      if (timer && functionOf(timer) === fn && isDiscardedCall(timer)) found.set(timer, { timer, releases });
    }
  }
  return [...found.values()];
}

function timerAround(node: Node): CallExpression | null {
  for (let up = parentOf(node); up; up = parentOf(up)) {
    if (up.type === 'CallExpression' && calleeName(up) === 'setInterval') return up;
  }
  return null;
}

const LOCK_LIBRARY = /^(?:redlock|@sesamecare-oss\/redlock|redlock-universal)$/;

/** `lock.extend()` of redlock: it rejects when the lock is lost, and the rejection goes nowhere. */
export function swallowedExtensions(file: FileFacts): IgnoredLoss[] {
  if (!importsLockLibrary(file)) return [];
  return file.calls.flatMap((call) => {
    const callee = unwrap(call.callee);
    if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'extend') return [];
    if (!isOnTimer(call, null) && !isHandle(file, callee.object)) return [];
    const how = swallowing(file, call);
    return how ? [{ call, what: file.sourceCode.getText(callee.object), how }] : [];
  });
}

function importsLockLibrary(file: FileFacts): boolean {
  const { ast } = file.sourceCode;
  return (
    ast.body.some(
      (statement) => statement.type === 'ImportDeclaration' && LOCK_LIBRARY.test(statement.source.value),
    ) ||
    file.calls.some(
      (call) =>
        calleeName(call) === 'require' &&
        call.arguments[0]?.type === 'Literal' &&
        LOCK_LIBRARY.test(String(call.arguments[0].value)),
    )
  );
}

const isHandle = (file: FileFacts, object: Node): boolean => {
  const origin = originOf(file.sourceCode, object);
  const made = origin.kind === 'value' ? unwrap(origin.node) : null;
  return made?.type === 'CallExpression' && /^(?:acquire|lock)$/.test(calleeName(made) ?? '');
};

/** Null when somebody acts on the rejection. */
function swallowing(file: FileFacts, call: CallExpression): IgnoredLoss['how'] | null {
  const reply = wrapped(replyNode(call));
  const up = parentOf(reply);
  if (up?.type === 'UnaryExpression' && up.operator === 'void') return 'dropped';
  const chained = up?.type === 'MemberExpression' ? parentOf(up) : null;
  if (chained?.type === 'CallExpression' && calleeName(chained) === 'catch') {
    const handler = chained.arguments[0];
    return !handler || (isFunction(handler) && onlyLogs(file, handler.body)) ? 'swallowed' : null;
  }
  if (reply.type !== 'AwaitExpression') return up?.type === 'ExpressionStatement' ? 'dropped' : null;
  for (let node: Node | undefined = call; node && !isFunction(node); node = parentOf(node)) {
    const holder = parentOf(node);
    if (holder?.type === 'TryStatement' && holder.block === node && holder.handler) {
      return onlyLogs(file, holder.handler.body) ? 'swallowed' : null;
    }
  }
  return null;
}

/** Does a handler do nothing but write to a log? */
function onlyLogs(file: FileFacts, body: Node): boolean {
  const statements = body.type === 'BlockStatement' ? body.body : [body];
  return statements.every((statement) => {
    const inner = statement.type === 'ExpressionStatement' ? unwrap(statement.expression) : unwrap(statement);
    if (inner.type !== 'CallExpression')
      return inner.type === 'Literal' || (inner.type === 'Identifier' && inner.name === 'undefined');
    return /^(?:this\.)?(?:console|log|logger|winston|pino)\b/i.test(file.sourceCode.getText(inner.callee));
  });
}

function unique(losses: IgnoredLoss[]): IgnoredLoss[] {
  const seen = new Set<Node>();
  return losses.filter((loss) => !seen.has(loss.call) && seen.add(loss.call));
}

const SECTION = /^(?:withLock|using|runExclusive)$/;

export interface DeafLoop {
  call: CallExpression;
  library: 'own' | 'redlock';
}

/** Work under a renewed lock that writes in a loop and never asks whether the lock is still there. */
export function deafLoops(file: FileFacts): DeafLoop[] {
  return file.calls.flatMap((call) => {
    const library = SECTION.test(calleeName(call) ?? '') ? lockLibraryOf(file, call) : null;
    const work = call.arguments.at(-1);
    if (!library || !work || !isFunction(work)) return [];
    const { sourceCode } = file;
    const asks = someNode(
      work.body,
      sourceCode.visitorKeys,
      (node) =>
        node.type === 'Identifier' && /^(?:signal|aborted|throwIfLost|throwIfAborted|held)$/.test(node.name),
    );
    const writes = someNode(work.body, sourceCode.visitorKeys, (node) => isWritingLoop(sourceCode, node));
    return !asks && writes ? [{ call, library }] : [];
  });
}

export const isWritingLoop = ({ visitorKeys }: SourceCode, node: Node): boolean =>
  /^(?:For|While|DoWhile)/.test(node.type) &&
  someNode(node, visitorKeys, (inner) => inner.type === 'AwaitExpression');

function lockLibraryOf({ sourceCode }: FileFacts, call: CallExpression): DeafLoop['library'] | null {
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier') {
    const origin = originOf(sourceCode, callee);
    return origin.kind === 'import' && origin.source === 'lockproof' ? 'own' : null;
  }
  if (/['"]lockproof['"]/.test(sourceCode.text)) return 'own';
  return /['"](?:redlock|@sesamecare-oss\/redlock|redlock-universal)['"]/.test(sourceCode.text)
    ? 'redlock'
    : null;
}
