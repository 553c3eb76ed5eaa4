/** The write that only the newest holder of a lock can make. */
import { show, wrongType } from '../arguments.js';
import { checkQueryable, type Queryable } from './connection.js';
import { quoteColumn, quoteTable } from './names.js';

/** The largest value of a bigint column. */
const LARGEST_FENCE = 2n ** 63n - 1n;
const FENCE_COLUMN = 'fence';

export interface GuardedUpdate {
  /** The table: `stock` or `shop.stock`. Names are quoted, so write them as the database has them. */
  table: string;
  /** The columns that find the one row, with their values: all of its primary or unique key. */
  key: Readonly<Record<string, unknown>>;
  /** The columns to write, with their values. They go to the driver as parameters; a bigint goes as a string. */
  set: Readonly<Record<string, unknown>>;
  /** The fence of the lease: `lease.fence`. */
  fence: number | bigint;
  /** The column that keeps the fence of the last write; by default `fence`. {@link fenceColumnSql} makes it. */
  fenceColumn?: string;
}

export type GuardedUpdateOutcome =
  | { written: true }
  | {
      written: false;
      /** `fenced`: a newer holder has written, so this one has lost its lock. `absent`: there is no such row. */
      reason: 'fenced' | 'absent';
    };

/** A statement with its parameters, in the shape that `query` of pg takes. */
export interface SqlStatement {
  text: string;
  values: unknown[];
}

/**
 * The statement of {@link guardedUpdate}, for query builders, ORMs and transactions of one's own. It answers one row with two
 * booleans, `written` and `present`; {@link guardedUpdateOutcome} reads it.
 *
 * @returns text with `$1` parameters, and their values
 * @throws TypeError (`LOCKPROOF_ARGUMENT`) that names the argument
 */
export function guardedUpdateSql(update: GuardedUpdate): SqlStatement {
  const { table, key, set, fence, fenceColumn = FENCE_COLUMN } = checkUpdate(update);
  const target = quoteTable(table);
  const guard = quoteColumn(fenceColumn, 'fenceColumn');
  const values: unknown[] = [];
  const parameter = (value: unknown): string =>
    `$${values.push(typeof value === 'bigint' ? String(value) : value)}`;

  const row = Object.entries(checkKey(key))
    .map(([column, value]) => `${quoteColumn(column, 'key')} = ${parameter(value)}`)
    .join(' and ');
  const fenceParameter = `${parameter(checkFence(fence))}::bigint`;
  const columns = Object.entries(checkSet(set, fenceColumn)).map(
    ([column, value]) => `${quoteColumn(column, 'set')} = ${parameter(value)}`,
  );
  const assignments = [...columns, `${guard} = ${fenceParameter}`].join(', ');

  // The row is locked first: `present` then tells of the row as the update found it, not as it was before a concurrent write.
  const text = [
    `with target as (select 1 from ${target} where ${row} for no key update),`,
    `written as (update ${target} set ${assignments} where ${row} and coalesce(${guard}, 0) <= ${fenceParameter} returning 1)`,
    'select exists (select from written) as written, exists (select from target) as present',
  ].join('\n');
  return { text, values };
}

/**
 * Reads the rows that {@link guardedUpdateSql}'s statement answered.
 *
 * @throws TypeError (`LOCKPROOF_ARGUMENT`) for rows of another statement
 */
export function guardedUpdateOutcome(rows: readonly unknown[]): GuardedUpdateOutcome {
  const row = rows[0] as { written?: unknown; present?: unknown } | undefined;
  if (typeof row?.written !== 'boolean' || typeof row.present !== 'boolean') {
    return wrongType('rows must be those that the statement of guardedUpdateSql answered');
  }
  if (row.written) return { written: true };
  return { written: false, reason: row.present ? 'fenced' : 'absent' };
}

/**
 * Updates one row unless a newer holder of the lock has written it: `update … where <key> and fence <= <fence>`, in one statement.
 *
 * The fence rises with each acquisition of a key, so a larger one in the row is a newer holder's. An equal one is this lease's
 * own, since no two acquisitions share a fence: a lease may write its row as often as it likes. Guard a row by the fences of
 * one lock key; those of two keys tell nothing about each other.
 *
 * @param db anything with `query(text, values)`: a `Pool`, `Client` or `PoolClient` of pg
 * @returns what became of the write; `fenced` is a lost lease: stop, and write nothing more
 * @throws TypeError (`LOCKPROOF_ARGUMENT`) that names the argument; the database's own errors as they are
 */
export async function guardedUpdate(db: Queryable, update: GuardedUpdate): Promise<GuardedUpdateOutcome> {
  const { text, values } = guardedUpdateSql(update);
  const { rows } = await checkQueryable(db).query(text, values);
  return guardedUpdateOutcome(rows);
}

/**
 * The migration that gives a table its fence column: `alter table … add column … bigint not null default 0`.
 *
 * @param options the table, and the column where it is not called `fence`
 * @returns one statement without parameters
 */
export function fenceColumnSql({
  table,
  fenceColumn = FENCE_COLUMN,
}: Pick<GuardedUpdate, 'table' | 'fenceColumn'>): string {
  const column = quoteColumn(fenceColumn, 'fenceColumn');
  return `alter table ${quoteTable(table)} add column ${column} bigint not null default 0`;
}

function checkUpdate(update: unknown): GuardedUpdate {
  if (typeof update === 'object' && update !== null) return update as GuardedUpdate;
  return wrongType(`update must be an object such as { table, key, set, fence }, got ${show(update)}`);
}

function checkFence(fence: unknown): bigint {
  if (typeof fence === 'number' && Number.isSafeInteger(fence)) return checkFence(BigInt(fence));
  if (typeof fence !== 'bigint') {
    const wayOut =
      fence === undefined
        ? 'acquire the lease with { fence: true } and pass lease.fence'
        : 'pass lease.fence, or BigInt(text) for one that travelled as text';
    return wrongType(`fence must be a safe integer or a bigint, got ${show(fence)}: ${wayOut}`);
  }
  if (fence < 1n || fence > LARGEST_FENCE) {
    return wrongType(`fence must be from 1 to ${LARGEST_FENCE}, got ${fence}: pass lease.fence`);
  }
  return fence;
}

function checkColumns(columns: unknown, argument: string, example: string): Record<string, unknown> {
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
    return wrongType(`${argument} must be an object such as ${example}, got ${show(columns)}`);
  }
  if (Object.keys(columns).length === 0) return wrongType(`${argument} names no column: give ${example}`);
  return columns as Record<string, unknown>;
}

function checkKey(key: unknown): Record<string, unknown> {
  const columns = checkColumns(key, 'key', '{ id: 5 }');
  for (const [column, value] of Object.entries(columns)) {
    if (value === undefined || value === null) {
      return wrongType(`key.${column} is ${String(value)}, which equals no row: pass the row's value`);
    }
  }
  return columns;
}

function checkSet(set: unknown, fenceColumn: string): Record<string, unknown> {
  const columns = checkColumns(set, 'set', '{ units: 3 }');
  for (const [column, value] of Object.entries(columns)) {
    if (value === undefined) return wrongType(`set.${column} is undefined: pass null to store NULL`);
    if (column === fenceColumn) {
      return wrongType(`set.${column} is the fence column, which the update writes itself: leave it out`);
    }
  }
  return columns;
}
