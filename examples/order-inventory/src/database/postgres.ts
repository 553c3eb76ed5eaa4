import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { unusable } from '../server-address.js';
import type { Database, Queries, Row } from './database.js';

/** A schema of its own on a server, dropped by `close`: no table that was there before is seen or touched. */
export async function openPostgres(url: string): Promise<Database> {
  const schema = `lockproof_demo_${randomBytes(6).toString('hex')}`;
  const pool = new pg.Pool({
    connectionString: url,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, its types don't say so
    onConnect: (client) => client.query(`set search_path to ${schema}`),
  });
  // An idle connection that breaks is replaced by the pool, and the next query tells of a server that is gone.
  pool.on('error', () => undefined);
  const close = async (): Promise<void> => {
    try {
      await pool.query(`drop schema if exists ${schema} cascade`);
    } finally {
      await pool.end();
    }
  };
  try {
    await pool.query(`create schema ${schema}`);
  } catch (error) {
    await pool.end();
    throw unusable('PostgreSQL', url, error);
  }
  return { name: 'PostgreSQL', ...queriesOf(pool), transaction: (work) => transaction(pool, work), close };
}

const queriesOf = (connection: pg.Pool | pg.PoolClient): Queries => ({
  query: async (sql, params = []) => (await connection.query<Row>(sql, [...params])).rows,
});

async function transaction(pool: pg.Pool, work: (tx: Queries) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const commit = await work(queriesOf(client));
    await client.query(commit ? 'commit' : 'rollback');
    client.release();
    return commit;
  } catch (error) {
    client.release(true); // ends the connection, and the server rolls back
    throw error;
  }
}
