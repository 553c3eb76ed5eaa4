/** Writes that survive a lost lock, for PostgreSQL: guarded by a fence, or done once under an idempotency key. */
export type { ConnectionPool, PooledConnection, Queryable } from './connection.js';
export {
  fenceColumnSql,
  guardedUpdate,
  guardedUpdateOutcome,
  guardedUpdateSql,
  type GuardedUpdate,
  type GuardedUpdateOutcome,
  type SqlStatement,
} from './guarded-update.js';
export {
  idempotencyTableSql,
  once,
  OnceInProgressError,
  type OnceOptions,
  type OnceOutcome,
} from './once.js';
