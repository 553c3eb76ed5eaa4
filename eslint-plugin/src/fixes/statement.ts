/** Repairs that touch one statement and need no runtime. */
import type { Acquire, Release } from '../model/acts.js';
import { parentOf, wrapped } from '../model/ast.js';
import { replyNode } from '../model/commands.js';
import type { Node, SourceCode } from '../types.js';
import { dropsComment, replaceNode, type Repair } from './repair.js';

/** The statement that a call's reply is dropped in. */
function statementOf(call: Release['call']): Node | null {
  const up = parentOf(wrapped(replyNode(call)));
  return up?.type === 'ExpressionStatement' ? up : null;
}

const own = { safe: true, runtimeFound: true } as const;

/** Takes the DEL out; what is left says why nothing follows. */
export function keepLostLock(sourceCode: SourceCode, release: Release): Repair | null {
  const statement = statementOf(release.call);
  if (!statement || release.command?.keys.length !== 1 || dropsComment(sourceCode, statement.range))
    return null;
  const block = parentOf(statement);
  const note = '/* a 0 means that the lock was lost: it is left to its next holder */';
  const text = block?.type === 'BlockStatement' || block?.type === 'Program' ? note : `{ ${note} }`;
  return { ...own, edits: [replaceNode(statement, text)], title: 'keepLostLock', data: {} };
}

/** `await redis.set(…);` -> `if (!(await redis.set(…))) throw …;` */
export function throwWhenBusy(sourceCode: SourceCode, acquire: Acquire): Repair | null {
  const statement = statementOf(acquire.call);
  const reply = wrapped(replyNode(acquire.call));
  if (!statement || reply.type !== 'AwaitExpression' || acquire.command?.options.get) return null;
  const text = `if (!(${sourceCode.getText(reply)})) throw new Error('the lock is held by somebody else');`;
  return {
    edits: [replaceNode(statement, text)],
    safe: false,
    runtimeFound: true,
    title: 'throwWhenBusy',
    data: { key: acquire.key.text },
  };
}
