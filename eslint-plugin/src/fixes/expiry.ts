/** `if (await redis.setnx(key, token)) { await redis.expire(key, 30); … }` -> one SET with NX and the TTL. */
import type { Acquire } from '../model/acts.js';
import { calleeName, parentOf, unwrap, wrapped } from '../model/ast.js';
import { clientOf } from '../model/clients.js';
import { replyNode, type RedisCommand } from '../model/commands.js';
import type { Node, SourceCode } from '../types.js';
import { isPure, wholeLines } from './pure.js';
import { dropsComment, replaceNode, type Edit, type Repair } from './repair.js';
import { clientSupport } from './runtime.js';

export function setWithExpiry(sourceCode: SourceCode, acquire: Acquire, expiry: RedisCommand): Repair | null {
  const { command, call, keyNode, value } = acquire;
  const receiver = command?.receiver;
  const [ttl] = expiry.args;
  if (command?.op !== 'setnx' || !receiver || !value || !ttl || command.callback || expiry.callback)
    return null;
  if (![receiver, keyNode, ttl].every(isPure) || clientSupport(sourceCode, receiver) === 'no') return null;
  const test = testOf(call);
  const statement = parentOf(wrapped(replyNode(expiry.call)));
  if (!test || statement?.type !== 'ExpressionStatement' || !isFirstIn(statement, test.branch)) return null;
  const library = clientOf(sourceCode, receiver);
  const unit = calleeName(expiry.call)?.toLowerCase() === 'pexpire' ? 'PX' : 'EX';
  const options =
    library === 'node-redis'
      ? `{ NX: true, ${unit}: ${sourceCode.getText(ttl)} }`
      : `'${unit}', ${sourceCode.getText(ttl)}, 'NX'`;
  const text = `${sourceCode.getText(receiver)}.set(${sourceCode.getText(keyNode)}, ${sourceCode.getText(value)}, ${options})`;
  const edits: Edit[] = [
    replaceNode(call, text),
    ...test.edits,
    { range: wholeLines(sourceCode, statement.range), text: '' },
  ];
  if (edits.some((edit) => dropsComment(sourceCode, edit.range))) return null;
  return {
    edits,
    safe: library === 'ioredis' || library === 'node-redis',
    runtimeFound: true,
    title: 'setWithExpiry',
    data: { key: acquire.key.text },
  };
}

/** The `if` around the reply, and the edits that make its test fit the reply of SET. */
function testOf(call: RedisCommand['call']): { branch: Node; edits: Edit[] } | null {
  const reply = wrapped(replyNode(call));
  const up = parentOf(reply);
  if (up?.type === 'IfStatement' && up.test === reply) return { branch: up.consequent, edits: [] };
  if (up?.type !== 'BinaryExpression' || (up.operator !== '===' && up.operator !== '==')) return null;
  const other = unwrap((up.left as Node) === reply ? up.right : up.left);
  const outer = parentOf(up);
  if (other.type !== 'Literal' || (other.value !== 1 && other.value !== true)) return null;
  return outer?.type === 'IfStatement' && outer.test === up
    ? { branch: outer.consequent, edits: [replaceNode(other, "'OK'")] }
    : null;
}

const isFirstIn = (statement: Node, branch: Node): boolean =>
  branch.type === 'BlockStatement' && branch.body[0] === statement;
