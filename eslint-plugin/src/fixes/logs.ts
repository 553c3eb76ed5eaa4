/** Logs the hash of a token in its place. */
import type { Node, SourceCode } from '../types.js';
import { replaceNode, type Repair } from './repair.js';
import { runtimeFound, runtimeNames } from './runtime.js';

export function hashLogged(sourceCode: SourceCode, filename: string, node: Node): Repair | null {
  const names = runtimeNames(sourceCode, filename, ['hashToken'], node);
  if (!names) return null;
  const token = sourceCode.getText(node);
  const edits = [...names.edits, replaceNode(node, `${names.local.hashToken ?? ''}(${token})`)];
  return {
    edits,
    safe: true,
    runtimeFound: runtimeFound(sourceCode, filename),
    title: 'hashToken',
    data: { token },
  };
}
