/** Writes to a database inside a locked section, and whether the write itself has a condition. */
import type { CallExpression, Node } from '../types.js';
import { calleeName, functionOf, objectProperty, propertyName, stringValue, unwrap } from './ast.js';
import type { Model } from './index.js';
import type { Lock } from './locks.js';

export interface UnguardedWrite {
  call: CallExpression;
  lock: Lock;
}

/** The writes between an acquire and its release in one function that only name the row. */
export function unguardedWrites(model: Model): UnguardedWrite[] {
  const seen = new Set<Node>();
  return model.locks.flatMap((lock) => {
    const fn = functionOf(lock.acquire.call);
    const [release] = lock.releases;
    if (!fn || !release || functionOf(release.call) !== fn) return [];
    return callsBetween(model.file.calls, lock.acquire.call.range[1], release.call.range[0])
      .filter((call) => !seen.has(call) && (isBareUpdate(sqlOf(call)) || isBareOrmUpdate(call)))
      .map((call) => {
        seen.add(call);
        return { call, lock };
      });
  });
}

/** The calls that begin and end between two places; the calls of a file are in the order of their beginnings. */
function callsBetween(calls: readonly CallExpression[], from: number, to: number): CallExpression[] {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[middle]?.range[0] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found: CallExpression[] = [];
  for (let i = low; i < calls.length; i++) {
    const call = calls[i];
    if (!call || call.range[0] >= to) break;
    if (call.range[1] <= to) found.push(call);
  }
  return found;
}

/** The SQL text of a call such as `db.query('update …')`, holes left out. */
function sqlOf(call: CallExpression): string | null {
  if (!/^(?:query|execute|\$executeRaw|raw|run|queryRaw)$/.test(calleeName(call) ?? '')) return null;
  const [argument] = call.arguments;
  if (!argument) return null;
  const node = unwrap(argument);
  if (node.type === 'TemplateLiteral') return node.quasis.map((quasi) => quasi.value.raw).join(' ? ');
  return stringValue(node);
}

/** An UPDATE whose WHERE compares one column for equality and nothing else. */
function isBareUpdate(sql: string | null): boolean {
  if (!sql || !/^\s*update\b/i.test(sql)) return false;
  const where = /\bwhere\b([\s\S]*?)(?:\breturning\b[\s\S]*)?;?\s*$/i.exec(sql)?.[1];
  if (where === undefined) return true;
  return !/\band\b|\bor\b|[<>]|\bversion\b|\bfence\b|\bin\b|\bexists\b/i.test(where);
}

/** Prisma's `update({ where: { id }, data })`: one key in `where`. */
function isBareOrmUpdate(call: CallExpression): boolean {
  const name = calleeName(call);
  const argument = call.arguments[0] && unwrap(call.arguments[0]);
  if (name !== 'update' || argument?.type !== 'ObjectExpression') return false;
  const where = objectProperty(argument, 'where')?.value;
  const data = objectProperty(argument, 'data');
  if (where?.type !== 'ObjectExpression' || !data) return false;
  return (
    where.properties.length === 1 &&
    where.properties.every((p) => p.type === 'Property' && /id$/i.test(propertyName(p) ?? ''))
  );
}
