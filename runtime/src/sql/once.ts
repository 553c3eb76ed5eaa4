/** Work that is done once for each idempotency key, together with its record, in one transaction. */
import { checkWork, show, wrongType } from '../arguments.js';
import {
  checkQueryable,
  dedicated,
  type ConnectionPool,
  type PooledConnection,
  type Queryable,
} from './connection.js';
import { quoteTable } from './names.js';

const TABLE = 'idempotency_records';
const WAIT_MS = 5_000;
/** The largest lock_timeout of PostgreSQL, an integer of milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** PostgreSQL's code for a lock_timeout that is over. */
const LOCK_NOT_AVAILABLE = '55P03';

export interface OnceOptions {
  /** Names the request: chosen by the caller, and the same when it is sent again. */
  key: string;
  /** The table of the records, by default `idempotency_records`. {@link idempotencyTableSql} makes it. */
  table?: string;
  /** How long to wait for another call with this key that is still at work, in milliseconds; by default 5000. */
  waitMs?: number;
}

export interface OnceOutcome<T> {
  /** What the work returned, as JSON keeps it: the same for the first call and for each repeat. */
  result: T;
  /** True when the work had been done by an earlier call. */
  repeated: boolean;
}

/** Another call with the same key is still at work, and the time to wait is over. Ask again later. */
export class OnceInProgressError extends Error {
  readonly code = 'LOCKPROOF_IN_PROGRESS';
  /** The idempotency key. */
  readonly key: string;

  constructor(key: string, waitMs: number) {
    super(`another call with the key ${show(key)} is still at work after ${waitMs} ms`);
    this.name = 'OnceInProgressError';
    this.key = key;
  }
}

/**
 * The table of the idempotency records. Old ones can be deleted at any time: `delete … where created_at < …`.
 *
 * @param options the table, where it is not called `idempotency_records`
 * @returns one `create table if not exists` statement without parameters
 */
export function idempotencyTableSql({ table = TABLE }: Pick<OnceOptions, 'table'> = {}): string {
  return `create table if not exists ${quoteTable(table)} (key text primary key, result json, created_at timestamptz not null default now())`;
}

/**
 * Runs the work in a transaction that also stores the key and the work's result: either both are there afterwards, or
 * neither. A repeat gets the stored result. A call that comes while the first is at work waits for it, at most `waitMs`; when
 * the first fails, the waiting one does the work. Work that throws, a process that dies and a connection that breaks leave no
 * record. The work must use `tx` for all that belongs to it: what it does elsewhere, such as an HTTP call, can't be rolled back.
 *
 * The transaction is READ COMMITTED and ends with the work; the work must not commit or roll back itself.
 *
 * @param db a `Pool` of pg, of which one connection is taken, or a client that is in no transaction
 * @param work gets the connection of the transaction and returns what JSON can keep
 * @returns the result, and whether it is an earlier call's
 * @throws the work's own error; OnceInProgressError when another call is still at work; TypeError (`LOCKPROOF_ARGUMENT`) for
 *   wrong arguments and for a result that JSON can't keep; the database's own errors as they are (after one at the commit,
 *   call again: the record tells whether the work was done)
 */
export function once<Connection extends PooledConnection, T>(
  db: ConnectionPool<Connection>,
  options: OnceOptions,
  work: (tx: Connection) => T | PromiseLike<T>,
): Promise<OnceOutcome<T>>;
export function once<Connection extends Queryable, T>(
  db: Connection,
  options: OnceOptions,
  work: (tx: Connection) => T | PromiseLike<T>,
): Promise<OnceOutcome<T>>;
export async function once<T>(
  db: Queryable | ConnectionPool,
  options: OnceOptions,
  work: (tx: never) => T | PromiseLike<T>,
): Promise<OnceOutcome<T>> {
  const checked = checkOptions(options);
  checkWork(work);
  const { connection, giveBack } = await dedicated(checkQueryable(db));
  // Unless its transaction has ended for sure, the connection is of no use to anybody.
  let broken = true;
  try {
    await connection.query('begin isolation level read committed');
    try {
      const outcome = await claimOrRead(connection, checked, work);
      await connection.query('commit');
      broken = false;
      return outcome;
    } catch (error) {
      broken = !(await rollBack(connection));
      throw error;
    }
  } finally {
    giveBack(broken);
  }
}

async function rollBack(connection: Queryable): Promise<boolean> {
  try {
    await connection.query('rollback');
    return true;
  } catch {
    return false;
  }
}

interface CheckedOptions {
  key: string;
  records: string;
  waitMs: number;
}

type WorkOn<T> = (tx: never) => T | PromiseLike<T>;

async function claimOrRead<T>(
  tx: Queryable,
  { key, records, waitMs }: CheckedOptions,
  work: WorkOn<T>,
): Promise<OnceOutcome<T>> {
  const outcome = (text: string | null, repeated: boolean): OnceOutcome<T> => ({
    result: fromJson(text) as T,
    repeated,
  });
  for (;;) {
    const id = await claim(tx, { key, records, waitMs });
    if (id !== null) {
      const text = toJson(await work(tx as never));
      await store(tx, { key, records }, text, id);
      return outcome(text, false);
    }
    const { rows } = await tx.query(`select result::text as result from ${records} where key = $1`, [key]);
    const record = rows[0] as { result: string | null } | undefined;
    if (record) return outcome(record.result, true);
    // Deleted between the two statements: the key is free again.
  }
}

/** Inserts the key, waiting for another transaction that has done so: the transaction's id, or null when there is a record. */
async function claim(tx: Queryable, { key, records, waitMs }: CheckedOptions): Promise<string | null> {
  // The work keeps the lock_timeout that it would have had; the inner select reads it before it is set.
  const { rows: settings } = await tx.query(
    "select before, set_config('lock_timeout', $1, true) from (select current_setting('lock_timeout') as before offset 0) as old",
    [String(Math.max(1, Math.ceil(waitMs)))],
  );
  try {
    const { rows } = await tx.query(
      `insert into ${records} (key) values ($1) on conflict (key) do nothing returning txid_current()::text as id`,
      [key],
    );
    const { before } = settings[0] as { before: string };
    await tx.query("select set_config('lock_timeout', $1, true)", [before]);
    return (rows[0] as { id: string } | undefined)?.id ?? null;
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) throw new OnceInProgressError(key, waitMs);
    throw error;
  }
}

async function store(
  tx: Queryable,
  { key, records }: Pick<CheckedOptions, 'key' | 'records'>,
  result: string | null,
  id: string,
): Promise<void> {
  const { rows } = await tx.query(
    `update ${records} set result = $2::json where key = $1 and txid_current()::text = $3 returning 1`,
    [key, result, id],
  );
  if (rows.length === 0) {
    throw new Error(
      'lockproof: the work ended the transaction of once itself: leave out its commit or rollback, and throw to roll back',
    );
  }
}

function toJson(value: unknown): string | null {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text ?? null;
  } catch (error) {
    return wrongType(
      `the work must return what JSON can keep, got ${show(value)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const fromJson = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));

function checkOptions(options: unknown): CheckedOptions {
  if (typeof options !== 'object' || options === null) {
    return wrongType(`options must be an object such as { key: 'order:1' }, got ${show(options)}`);
  }
  const { key, table = TABLE, waitMs = WAIT_MS } = options as Partial<OnceOptions>;
  if (typeof key !== 'string' || key === '') {
    return wrongType(`key must be a string that names the request, got ${show(key)}`);
  }
  if (typeof waitMs !== 'number' || !(waitMs >= 0 && waitMs <= LONGEST_WAIT_MS)) {
    return wrongType(
      `waitMs must be a number of milliseconds from 0 to ${LONGEST_WAIT_MS}, got ${show(waitMs)}`,
    );
  }
  return { key, records: quoteTable(table), waitMs };
}
