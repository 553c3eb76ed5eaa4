import { Redis } from 'ioredis';
import type { Order, Outcome, Shop } from '../shop.js';
import { unitsLeft, writeOrder } from './stock.js';
import { releaseLease, tryAcquireLease } from 'lockproof';

export const LOCK_TTL_MS = 1_500;

/** Places an order while holding the lock of its stock item. */
export async function placeOrder(redis: Redis, shop: Shop, order: Order): Promise<Outcome> {
  const key = `order:lock:${order.sku}`;
  const lease = await tryAcquireLease(redis, key, { ttlMs: LOCK_TTL_MS });
  if (!lease) return 'busy';
  try {
    if ((await unitsLeft(shop.db, order.sku)) < order.units) return 'sold out';
    if (!(await shop.pay(order))) return 'declined';
    return (await writeOrder(shop.db, order)) ? 'placed' : 'sold out';
  } finally {
    await releaseLease(lease);
  }
}
