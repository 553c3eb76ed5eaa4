import type { Database } from '../database/database.js';
import type { Order } from '../shop.js';

export const TABLES = [
  'create table stock (sku text primary key, units integer not null)',
  'create table orders (id text primary key, sku text not null, units integer not null)',
];

export async function unitsLeft(db: Database, sku: string): Promise<number> {
  const [row] = await db.query('select units from stock where sku = $1', [sku]);
  return Number(row?.units ?? 0);
}

/** Writes the order once, and only while its units are in stock: right even for a request that lost its lock. */
export async function writeOrder(db: Database, { id, sku, units }: Order): Promise<boolean> {
  return db.transaction(async (tx) => {
    const written = await tx.query(
      'insert into orders (id, sku, units) values ($1, $2, $3) on conflict (id) do nothing returning id',
      [id, sku, units],
    );
    if (written.length === 0) return true; // the same request, sent again
    const taken = await tx.query(
      'update stock set units = units - $2 where sku = $1 and units >= $2 returning units',
      [sku, units],
    );
    return taken.length > 0;
  });
}
