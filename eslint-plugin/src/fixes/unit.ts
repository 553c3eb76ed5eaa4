/** Writes a TTL in the unit that its option wants. */
import type { LiteralTtl } from '../model/ttl.js';
import { unwrap } from '../model/ast.js';
import { replaceNode, type Repair } from './repair.js';

export function rightUnit(ttl: LiteralTtl): Repair | null {
  // A constant may have other readers.
  if (!ttl.slip || unwrap(ttl.node).type !== 'Literal') return null;
  const text = ttl.slip.right;
  return {
    edits: [replaceNode(ttl.node, text)],
    safe: false,
    runtimeFound: true,
    title: 'rightUnit',
    data: { ttl: text },
  };
}
