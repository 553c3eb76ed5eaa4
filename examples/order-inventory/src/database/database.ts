/** The little that the service asks of an SQL database, and the choice between the two that it runs on. */
import { openPglite } from './pglite.js';
import { openPostgres } from './postgres.js';

export type Row = Readonly<Record<string, unknown>>;

export interface Queries {
  query(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queries {
  readonly name: 'PGlite' | 'PostgreSQL';
  /**
   * Runs the work in one transaction.
   *
   * @returns what the work answered: `true` committed, `false` rolled back. An error rolls back, too, and is thrown on.
   */
  transaction(work: (tx: Queries) => Promise<boolean>): Promise<boolean>;
  /** Drops what was created and disconnects. */
  close(): Promise<void>;
}

/**
 * A database without tables: the embedded PGlite, or a schema of its own on a PostgreSQL server.
 *
 * @param url address of the server, as in `DATABASE_URL`; embedded when left out
 */
export const openDatabase = (url?: string): Promise<Database> => (url ? openPostgres(url) : openPglite());

/** Gives the shop its tables, and the stock item its units; tables of an earlier run go. */
export async function stockUp(
  db: Database,
  tables: readonly string[],
  sku: string,
  units: number,
): Promise<void> {
  await db.query('drop table if exists stock');
  await db.query('drop table if exists orders');
  for (const table of tables) await db.query(table);
  await db.query('insert into stock (sku, units) values ($1, $2)', [sku, units]);
}
