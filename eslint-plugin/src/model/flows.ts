/** The way from an acquire to its release inside one function. */
import type { Node, SourceCode, Statement, TSESTree } from '../types.js';
import type { Acquire, Release } from './acts.js';
import { contains, functionOf, isFunction, parentOf, walk } from './ast.js';
import { factsAt, leaves } from './guards.js';
import { replyNames } from './replies.js';

/** The `try` around an acquire whose `finally` releases, also when the acquire failed and the function left inside the `try`. */
export function finallyWithoutAcquire(
  sourceCode: SourceCode,
  acquire: Acquire,
  release: Release,
): TSESTree.TryStatement | null {
  for (let up = parentOf(release.call); up; up = parentOf(up)) {
    if (up.type !== 'TryStatement' || !up.finalizer || !contains(up.finalizer, release.call)) continue;
    if (!contains(up.block, acquire.call) || functionOf(acquire.call) !== functionOf(up)) return null;
    if (isGuarded(release.call, up.finalizer)) return null;
    return leavesWhenBusy(sourceCode, acquire, up) ? up : null;
  }
  return null;
}

/** Is there any condition around the release in the `finally`? Then somebody has thought of it. */
function isGuarded(release: Node, finalizer: Node): boolean {
  for (const fact of factsAt(release, finalizer)) if (contains(finalizer, fact.source)) return true;
  return false;
}

function leavesWhenBusy(sourceCode: SourceCode, acquire: Acquire, region: TSESTree.TryStatement): boolean {
  const names = replyNames(sourceCode, acquire.call);
  return region.block.body.some((statement) => {
    if (statement.type !== 'IfStatement' || !leaves(statement.consequent)) return false;
    if (contains(statement.test, acquire.call)) return true;
    const text = sourceCode.getText(statement.test);
    return names.some((name) => new RegExp(`\\b${name}\\b`).test(text));
  });
}

/** The statements of the function between the acquire and the release, when both stand in its flow. */
export function leavingBetween(sourceCode: SourceCode, acquire: Acquire, release: Release): Statement | null {
  const fn = functionOf(acquire.call);
  if (!fn || functionOf(release.call) !== fn) return null;
  const names = replyNames(sourceCode, acquire.call);
  let found: Statement | null = null;
  walk(fn.body, sourceCode.visitorKeys, (node) => {
    if (found || (isFunction(node) && node !== fn)) return false;
    const leaving = node.type === 'ReturnStatement' || node.type === 'ThrowStatement';
    if (!leaving || node.range[0] < acquire.call.range[1] || node.range[1] > release.call.range[0])
      return undefined;
    if (!isBusyExit(sourceCode, node, acquire, names) && !contains(node, release.call)) found = node;
    return undefined;
  });
  return found;
}

/** Is this the way out of the request that did not get the lock? */
function isBusyExit(sourceCode: SourceCode, node: Node, acquire: Acquire, names: readonly string[]): boolean {
  for (const fact of factsAt(node, functionOf(node))) {
    if (!contains(fact.source, node)) continue;
    if (contains(fact.source, acquire.call)) return true;
    const text = sourceCode.getText(fact.condition);
    if (names.some((name) => new RegExp(`\\b${name}\\b`).test(text))) return true;
  }
  return false;
}

/** Is the node inside a `try` whose `finally` or `catch` holds the release? */
export function isProtected(node: Node, release: Node): boolean {
  for (let up = parentOf(node); up; up = parentOf(up)) {
    if (up.type !== 'TryStatement' || !contains(up.block, node)) continue;
    if (up.finalizer && contains(up.finalizer, release)) return true;
  }
  return false;
}
