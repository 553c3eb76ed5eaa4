/** Suggestions that let a lost lease stop the work, and the end of the work stop the renewal. */
import type { Release } from '../model/acts.js';
import { contains, functionOf, isFunction, parentOf, someNode, wrapped } from '../model/ast.js';
import { replyNode } from '../model/commands.js';
import { isOnTimer } from '../model/links.js';
import { isWritingLoop, type IgnoredLoss } from '../model/losses.js';
import type { CallExpression, FunctionNode, Node, SourceCode, TSESTree } from '../types.js';
import { newlineOf } from './import/text.js';
import { replaceNode, type Edit, type Repair } from './repair.js';

const own = { safe: false, runtimeFound: true, title: 'stopWhenLost', data: {} } as const;

const insert = (at: number, text: string): Edit => ({ range: [at, at], text });

/** The line break and the indent that a node's line begins with, for a statement beside it. */
function lineBefore(sourceCode: SourceCode, node: Node): string {
  const indent = /^\s*/.exec(sourceCode.lines[node.loc.start.line - 1] ?? '')?.[0] ?? '';
  return newlineOf(sourceCode) + indent;
}

/** The work throws when the renewal fails. Null on a timer, where nobody would catch it. */
export function throwWhenLost(sourceCode: SourceCode, { call, how }: IgnoredLoss): Repair | null {
  if (isOnTimer(call, null)) return null;
  return how === 'swallowed' ? rethrow(sourceCode, call) : throwOnZero(sourceCode, call);
}

/** `await redis.eval(…);` -> `if (!(await redis.eval(…))) throw …;` */
function throwOnZero(sourceCode: SourceCode, call: CallExpression): Repair | null {
  const reply = wrapped(replyNode(call));
  const statement = parentOf(reply);
  if (reply.type !== 'AwaitExpression' || statement?.type !== 'ExpressionStatement') return null;
  const text = `if (!(${sourceCode.getText(reply)})) throw new Error('the lock was lost');`;
  return { ...own, edits: [replaceNode(statement, text)] };
}

/** A handler that logs the loss passes it on as well. */
function rethrow(sourceCode: SourceCode, call: CallExpression): Repair | null {
  for (let node: Node | undefined = call; node && !isFunction(node); node = parentOf(node)) {
    const holder = parentOf(node);
    if (holder?.type !== 'TryStatement' || holder.block !== node || !holder.handler) continue;
    const { param, body } = holder.handler;
    const last = body.body.at(-1);
    if (param?.type !== 'Identifier' || !last) return null;
    const text = `${lineBefore(sourceCode, last)}throw ${param.name};`;
    return { ...own, edits: [insert(last.range[1], text)] };
  }
  return null;
}

/** `const renewal = setInterval(…);` … `clearInterval(renewal);` before the release. */
export function stopRenewal(
  sourceCode: SourceCode,
  timer: CallExpression,
  releases: readonly Release[],
): Repair | null {
  const statement = parentOf(timer);
  const block = statement && parentOf(statement);
  if (statement?.type !== 'ExpressionStatement' || block?.type !== 'BlockStatement') return null;
  if (/\brenewal\b/.test(sourceCode.text)) return null;
  const ends = releases.map(({ call }) => statementAround(call));
  const edits = ends.flatMap((end) =>
    end && contains(block, end)
      ? [insert(end.range[0], `clearInterval(renewal);${lineBefore(sourceCode, end)}`)]
      : [],
  );
  if (edits.length !== releases.length) return null;
  return {
    ...own,
    edits: [insert(statement.range[0], 'const renewal = '), ...edits],
    title: 'stopRenewal',
  };
}

/** The statement of a block that a node stands in. */
function statementAround(node: Node): Node | null {
  for (let inner = node, up = parentOf(node); up; inner = up, up = parentOf(up)) {
    if (up.type === 'BlockStatement') return inner;
    if (isFunction(up)) return null;
  }
  return null;
}

/** The loops of the work begin with a look at the lease (of lockproof), or at the signal (of redlock). */
export function askInLoops(
  sourceCode: SourceCode,
  call: CallExpression,
  library: 'own' | 'redlock',
): Repair | null {
  const work = call.arguments.at(-1);
  if (!work || !isFunction(work) || work.params.length > 1) return null;
  const [param] = work.params;
  if (param && param.type !== 'Identifier') return null;
  const name = param?.name ?? (library === 'own' ? 'lease' : 'signal');
  if (!param && new RegExp(`\\b${name}\\b`).test(sourceCode.getText(work))) return null;
  const named = param ? [] : nameParameter(sourceCode, work, name);
  const loop = writingLoop(sourceCode, work);
  if (!named || !loop) return null;
  const ask = library === 'own' ? `${name}.throwIfLost();` : `if (${name}.aborted) throw ${name}.error;`;
  return { ...own, edits: [...named, ...beginWith(sourceCode, loop, ask)] };
}

type Loop = Extract<Node, { body: TSESTree.Statement; type: `${string}Statement` }>;

function writingLoop(sourceCode: SourceCode, work: FunctionNode): Loop | null {
  const found: Node[] = [];
  someNode(work.body, sourceCode.visitorKeys, (node) => {
    if (!isWritingLoop(sourceCode, node)) return false;
    found.push(node);
    return true;
  });
  const [loop] = found;
  return loop && functionOf(loop) === work ? (loop as Loop) : null;
}

function beginWith(sourceCode: SourceCode, loop: Loop, ask: string): Edit[] {
  const { body } = loop;
  if (body.type !== 'BlockStatement')
    return [insert(body.range[0], `{ ${ask} `), insert(body.range[1], ' }')];
  const [first] = body.body;
  if (!first) return [];
  const isOneLine = first.loc.start.line === body.loc.start.line;
  return [insert(first.range[0], `${ask}${isOneLine ? ' ' : lineBefore(sourceCode, first)}`)];
}

/** `async () =>` gets its parameter; null where the parentheses can't be found. */
function nameParameter(sourceCode: SourceCode, work: FunctionNode, name: string): Edit[] | null {
  const head = sourceCode.text.slice(work.range[0], work.body.range[0]);
  const at = head.indexOf('()');
  return at < 0 ? null : [insert(work.range[0] + at + 1, name)];
}
