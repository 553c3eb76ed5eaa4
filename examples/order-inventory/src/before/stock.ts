import type { Database } from '../database/database.js';
import type { Order } from '../shop.js';

export const TABLES = [
  'create table stock (sku text primary key, units integer not null)',
  'create table orders (id text not null, sku text not null, units integer not null)',
];

export async function unitsLeft(db: Database, sku: string): Promise<number> {
  const [row] = await db.query('select units from stock where sku = $1', [sku]);
  return Number(row?.units ?? 0);
}

/** Writes the order and takes its units out of stock; trusts that the lock kept everybody else away. */
export async function writeOrder(db: Database, { id, sku, units }: Order): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query('insert into orders (id, sku, units) values ($1, $2, $3)', [id, sku, units]);
    await tx.query('update stock set units = units - $2 where sku = $1', [sku, units]);
    return true;
  });
}
