/** Repairs of one release whose token is at hand: `releaseLease(client, key, token)`. */
import { unwrap, wrapped } from '../model/ast.js';
import { replyNode, scriptNodeOf } from '../model/commands.js';
import type { Release } from '../model/acts.js';
import { tokenOf } from '../model/tokens.js';
import { variableOf } from '../model/values.js';
import type { Node, SourceCode, TSESTree } from '../types.js';
import { isAnnotatedString, isPure, removeUnreadConstants, wholeLines } from './pure.js';
import { dropsComment, replaceNode, type Edit, type Repair } from './repair.js';
import { clientSupport, runtimeFound, runtimeNames } from './runtime.js';
import { isDropped, visibleName } from './uses.js';

export interface ReleaseContext {
  sourceCode: SourceCode;
  filename: string;
  release: Pick<Release, 'command' | 'keyNode' | 'check'>;
}

interface Swap {
  /** The node that the new call takes the place of. */
  target: Node;
  token: Node;
  /** Further edits that belong to the swap. */
  edits: Edit[];
  /** Nodes that are gone after the swap. */
  gone: Node[];
  safe: boolean;
}

/** Is the value surely a string, as the runtime wants it? */
const isStringToken = (sourceCode: SourceCode, token: Node): boolean =>
  tokenOf(sourceCode, token).kind === 'unique' || isAnnotatedString(sourceCode, token);

/** `if ((await redis.get(key)) === token) await redis.del(key);` -> one compare-and-delete. */
export function repairComparedRelease(context: ReleaseContext): Repair | null {
  const { sourceCode, release } = context;
  const { check } = release;
  const statement = check?.fact.source;
  if (!check?.direct || statement?.type !== 'IfStatement' || statement.alternate) return null;
  if (!release.command || !isOnlyStatement(statement.consequent, release.command.call)) return null;
  const wholeTest = unwrap(statement.test) === unwrap(check.fact.condition) && check.fact.holds;
  const read = readStatement(sourceCode, statement, check.get.call);
  if (!wholeTest || !read) return null;
  return swapIn(context, {
    target: statement,
    token: check.token,
    edits: read.removal ? [read.removal] : [],
    gone: [],
    safe: isStringToken(sourceCode, check.token) && !check.get.queued,
  });
}

/** `await redis.eval(COMPARE_AND_DELETE, 1, key, token);` with the reply dropped. */
export function repairScriptRelease(context: ReleaseContext): Repair | null {
  const { command } = context.release;
  const token = command?.args[0];
  if (
    command?.op !== 'script' ||
    command.callback ||
    command.keys.length !== 1 ||
    command.args.length !== 1 ||
    !token
  ) {
    return null;
  }
  const script = scriptNodeOf(command);
  return swapIn(context, {
    target: command.call,
    token,
    edits: [],
    gone: script ? [script] : [],
    safe: isStringToken(context.sourceCode, token),
  });
}

/** `redis.eval("return redis.call('del', KEYS[1])", 1, key)`: the token that the lock stored is compared. */
export function guardScriptRelease(context: ReleaseContext, stored: Node | null): Repair | null {
  const { sourceCode, release } = context;
  const { command } = release;
  if (!command || command.callback || command.queued || command.keys.length !== 1 || !isDropped(command.call))
    return null;
  const [given, another] = command.args;
  const name = stored && unwrap(stored);
  const seen = name?.type === 'Identifier' && visibleName(sourceCode, name, [command.call]) ? name : null;
  const token = another ? null : (given ?? seen);
  const script = scriptNodeOf(command);
  if (!token) return null;
  return swapIn(context, {
    target: command.call,
    token,
    edits: [],
    gone: script ? [script] : [],
    safe: false,
  });
}

function swapIn(context: ReleaseContext, swap: Swap): Repair | null {
  const { sourceCode, filename, release } = context;
  const receiver = release.command?.receiver;
  if (!receiver || !isPure(receiver) || !isPure(release.keyNode) || !isPure(swap.token)) return null;
  const support = clientSupport(sourceCode, receiver);
  if (support === 'no') return null;
  const names = runtimeNames(sourceCode, filename, ['releaseLease'], swap.target);
  if (!names) return null;
  const client = sourceCode.getText(receiver);
  const key = sourceCode.getText(release.keyNode);
  const token = sourceCode.getText(swap.token);
  const call = `${names.local.releaseLease ?? 'releaseLease'}(${client}, ${key}, ${token})`;
  const statement = swap.target.type === 'IfStatement';
  const kept = removeUnreadConstants(sourceCode, swap.gone);
  const edits = [
    ...names.edits,
    ...kept,
    ...swap.edits,
    replaceNode(swap.target, statement ? `await ${call};` : call),
  ];
  if (edits.some((edit) => dropsComment(sourceCode, edit.range))) return null;
  return {
    edits,
    safe: swap.safe && support === 'seen',
    runtimeFound: runtimeFound(sourceCode, filename),
    title: 'releaseByToken',
    data: { client, key, token },
  };
}

/** Does a branch hold nothing but the command, as a statement of its own? */
function isOnlyStatement(branch: Node, call: Node): boolean {
  const statement = branch.type === 'BlockStatement' ? branch.body[0] : branch;
  if (branch.type === 'BlockStatement' && branch.body.length !== 1) return false;
  return (
    statement?.type === 'ExpressionStatement' &&
    unwrap(statement.expression) === call &&
    statement.expression.type === 'AwaitExpression'
  );
}

/** The GET of the test itself, or of the constant declared right before, which then goes. Null: its reply has other uses. */
function readStatement(
  sourceCode: SourceCode,
  statement: TSESTree.IfStatement,
  get: Node,
): { removal: Edit | null } | null {
  if (get.range[0] >= statement.range[0]) return { removal: null };
  const declarator = wrapped(replyNode(get as TSESTree.CallExpression)).parent;
  const declaration = declarator?.parent;
  if (declarator?.type !== 'VariableDeclarator' || declaration?.type !== 'VariableDeclaration') return null;
  if (declaration.declarations.length !== 1 || declarator.id.type !== 'Identifier') return null;
  const list = (statement.parent as { body?: unknown }).body;
  if (!Array.isArray(list) || list.indexOf(declaration) !== list.indexOf(statement) - 1) return null;
  const reads = variableOf(sourceCode, declarator.id)?.references.filter((r) => r.isRead()) ?? [];
  if (reads.length !== 1) return null;
  return { removal: { range: wholeLines(sourceCode, declaration.range), text: '' } };
}
