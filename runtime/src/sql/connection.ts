/** What is asked of a PostgreSQL client: the shape of pg, without depending on it. */
import type { EventEmitter } from 'node:events';
import { show, wrongType } from '../arguments.js';

/** Anything that runs a statement with `$1` parameters: a `Pool`, `Client` or `PoolClient` of pg. */
export interface Queryable {
  query(text: string, values?: unknown[]): PromiseLike<{ rows: unknown[] }>;
}

/** A connection of one's own, as `pool.connect()` answers it. */
export interface PooledConnection extends Queryable {
  release(destroy?: boolean): void;
}

/** A `Pool` of pg. */
export interface ConnectionPool<Connection extends PooledConnection = PooledConnection> {
  connect(): PromiseLike<Connection>;
  connect(callback: never): void;
}

const EXPECTED = 'pass a Pool or a client of pg';

const has = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof (value as never)[name] === 'function';

export function checkQueryable(db: unknown): Queryable {
  if (has(db, 'query')) return db as Queryable;
  return wrongType(
    typeof db === 'function'
      ? `db is ${show(db)}, not a connection: ${EXPECTED}, for example new Pool()`
      : `db must have query(text, values), got ${show(db)}: ${EXPECTED}`,
  );
}

/** A connection that nobody else uses, and how to give it back. */
export interface Dedicated {
  connection: Queryable;
  /** `broken` ends a connection of the pool, so that the server rolls back what it left open. */
  giveBack: (broken: boolean) => void;
}

/** One of the pool's connections, or the caller's own, which must not be inside a transaction. */
export async function dedicated(db: Queryable): Promise<Dedicated> {
  // A client has connect() as well, but answers to nobody else already.
  const isClient = has(db, 'release') || has(db, 'escapeIdentifier');
  if (isClient) {
    const status = has(db, 'getTransactionStatus') && (db as unknown as Client).getTransactionStatus();
    if (status === 'T' || status === 'E') {
      return wrongType(
        'db is a client inside a transaction, which once would commit: pass the Pool, or a client before its begin',
      );
    }
    return { connection: db, giveBack: () => undefined };
  }
  if (!has(db, 'connect')) {
    return wrongType(
      `db must be one connection or have connect(), got ${show(db)}: ${EXPECTED}, since a transaction needs a connection of its own`,
    );
  }
  const connection = await (db as unknown as ConnectionPool).connect();
  const stopListening = hearErrors(connection);
  return {
    connection,
    giveBack: (broken) => {
      stopListening();
      connection.release(broken);
    },
  };
}

/** A connection that breaks between two statements emits an error, which would end the process; the next statement tells it, too. */
function hearErrors(connection: object): () => void {
  if (!has(connection, 'on') || !has(connection, 'off')) return () => undefined;
  const emitter = connection as EventEmitter;
  const heard = (): void => undefined;
  emitter.on('error', heard);
  return () => {
    emitter.off('error', heard);
  };
}

interface Client {
  getTransactionStatus(): string | null;
}
