/** Suggestion for a renewal that does not compare: `renewLease(client, key, token, ttlMs)`. */
import type { Renewal } from '../model/acts.js';
import { unwrap } from '../model/ast.js';
import { calleeName } from '../model/ast.js';
import type { Lock } from '../model/locks.js';
import type { Node, SourceCode } from '../types.js';
import { isPure, millisecondsText } from './pure.js';
import { dropsComment, replaceNode, type Repair } from './repair.js';
import { clientSupport, runtimeFound, runtimeNames } from './runtime.js';
import { isDropped, visibleName } from './uses.js';

export interface RenewalContext {
  sourceCode: SourceCode;
  filename: string;
  lock: Lock | null;
  renewal: Renewal;
}

export function repairRenewal({ sourceCode, filename, lock, renewal }: RenewalContext): Repair | null {
  const { command, call, keyNode } = renewal;
  const receiver = command?.receiver;
  if (!command || !receiver || command.callback || command.queued || !isDropped(call)) return null;
  if (!isPure(receiver) || !isPure(keyNode) || clientSupport(sourceCode, receiver) === 'no') return null;
  const token = tokenText(sourceCode, lock, renewal);
  const ttl = ttlOf(sourceCode, renewal);
  const names = token && ttl ? runtimeNames(sourceCode, filename, ['renewLease'], call) : null;
  if (!token || !ttl || !names) return null;
  const client = sourceCode.getText(receiver);
  const key = sourceCode.getText(keyNode);
  const text = `${names.local.renewLease ?? ''}(${client}, ${key}, ${token}, ${ttl})`;
  const edits = [...names.edits, replaceNode(call, text)];
  if (edits.some((edit) => dropsComment(sourceCode, edit.range))) return null;
  return {
    edits,
    safe: false,
    runtimeFound: runtimeFound(sourceCode, filename),
    title: 'renewByToken',
    data: { client, key, token },
  };
}

/** What the renewal is compared with, or what the acquire stored, when its name can be read at the renewal. */
function tokenText(sourceCode: SourceCode, lock: Lock | null, renewal: Renewal): string | null {
  const value: Node | null | undefined = renewal.check?.token ?? lock?.acquire.value;
  if (!value) return null;
  const node = unwrap(value);
  if (node.type === 'MemberExpression')
    return isPure(node) && renewal.check ? sourceCode.getText(node) : null;
  return node.type === 'Identifier' ? visibleName(sourceCode, node, [renewal.call]) : null;
}

function ttlOf(sourceCode: SourceCode, renewal: Renewal): string | null {
  const { command } = renewal;
  if (!command) return null;
  if (command.op === 'set') {
    const { ttl } = command.options;
    return ttl && ttl.unit !== 'unix'
      ? (millisecondsText(sourceCode, ttl.node, ttl.unit)?.text ?? null)
      : null;
  }
  const method = calleeName(command.call)?.toLowerCase();
  if (method !== 'expire' && method !== 'pexpire') return null;
  const ttl = command.args[0];
  return ttl ? (millisecondsText(sourceCode, ttl, method === 'expire' ? 's' : 'ms')?.text ?? null) : null;
}
