import { PGlite } from '@electric-sql/pglite';
import type { Database, Row } from './database.js';

/**
 * PostgreSQL as WebAssembly, in memory.
 * Version 0.3 brings a ready data directory; from 0.4 on each start runs initdb, which makes it twice as long.
 */
export async function openPglite(): Promise<Database> {
  const pglite = await PGlite.create();
  return {
    name: 'PGlite',
    query: async (sql, params = []) => (await pglite.query<Row>(sql, [...params])).rows,
    transaction: (work) =>
      pglite.transaction(async (tx) => {
        const commit = await work({
          query: async (sql, params = []) => (await tx.query<Row>(sql, [...params])).rows,
        });
        if (!commit) await tx.rollback();
        return commit;
      }),
    close: () => pglite.close(),
  };
}
