/** The order service before and after its repair: on a real Redis, and on PGlite or the PostgreSQL of DATABASE_URL. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import lockproof from 'eslint-plugin-lockproof';
import { Redis } from 'ioredis';
import { startRedisServer, type RedisServer } from 'lockproof/testing';
import * as afterOrder from 'order-inventory/after/place-order.js';
import * as afterStock from 'order-inventory/after/stock.js';
import * as beforeOrder from 'order-inventory/before/place-order.js';
import * as beforeStock from 'order-inventory/before/stock.js';
import { openDatabase, stockUp, type Database } from 'order-inventory/database/database.js';
import { openRedis } from 'order-inventory/demo/demo-redis.js';
import { factsOf } from 'order-inventory/demo/facts.js';
import { race } from 'order-inventory/demo/race.js';
import type { Order } from 'order-inventory/shop.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/until.js';

const SERVICE = fileURLToPath(new URL('../../examples/order-inventory/src/', import.meta.url));
const BEFORE = { ...beforeOrder, ...beforeStock };
const AFTER = { ...afterOrder, ...afterStock };
const ORDER: Order = { id: 'order-1', sku: '10086', units: 1 };

let server: RedisServer;
let redis: Redis;
let db: Database;

beforeAll(async () => {
  server = await startRedisServer();
  redis = new Redis(server.url);
  db = await openDatabase(process.env.DATABASE_URL);
}, 60_000);
afterAll(async () => {
  redis.disconnect();
  await server.stop();
  await db.close();
});

async function sold(service: typeof BEFORE): Promise<{ orders: number; units: number }> {
  const [row] = await db.query('select count(*) as orders from orders');
  return { orders: Number(row?.orders), units: await service.unitsLeft(db, ORDER.sku) };
}

describe('one order', () => {
  test.each([
    ['before', BEFORE],
    ['after', AFTER],
  ])('%s: is placed, takes its units and gives the lock back', async (_name, service) => {
    await stockUp(db, service.TABLES, ORDER.sku, 3);
    const pay = async (): Promise<boolean> => (await redis.exists('order:lock:10086')) === 1;
    expect(await service.placeOrder(redis, { db, pay }, { ...ORDER, units: 2 })).toBe('placed');
    expect(await sold(service)).toEqual({ orders: 1, units: 1 });
    expect(await redis.exists('order:lock:10086')).toBe(0);
  });

  test.each([
    ['before', BEFORE],
    ['after', AFTER],
  ])('%s: is refused while the lock is held, without stock, and without payment', async (_name, service) => {
    await stockUp(db, service.TABLES, ORDER.sku, 1);
    const pay = (): Promise<boolean> => Promise.resolve(false);
    expect(await service.placeOrder(redis, { db, pay }, ORDER)).toBe('declined');
    expect(await service.placeOrder(redis, { db, pay }, { ...ORDER, units: 2 })).toBe('sold out');
    await redis.set('order:lock:10086', 'somebody', 'PX', 5_000);
    expect(await service.placeOrder(redis, { db, pay }, ORDER)).toBe('busy');
    expect(await redis.getdel('order:lock:10086')).toBe('somebody');
    expect(await sold(service)).toEqual({ orders: 0, units: 1 });
  });
});

describe('a payment that outlasts the lock', () => {
  test("before: A's release deletes B's lock, C gets in, and the last unit is sold twice", async () => {
    const facts = await factsOnOwnRedis('before');
    expect(facts).toMatchObject({
      bHeldTheLock: true,
      release: { text: 'DEL order:lock:10086', reply: 1 },
      keyAfterRelease: null,
      outcomes: { A: 'declined', B: 'placed', C: 'placed' },
      orders: 2,
      unitsLeft: -1,
      loss: null,
    });
  });

  test("after: A's release answers 0, B keeps its lock, and C is refused", async () => {
    const facts = await factsOnOwnRedis('after');
    expect(facts).toMatchObject({
      bHeldTheLock: true,
      release: { reply: 0 },
      keyIsBs: true,
      outcomes: { A: 'declined', B: 'placed', C: 'busy' },
      orders: 1,
      unitsLeft: 0,
    });
    expect(facts.loss).not.toBeNull();
  });

  /** A pays until B, who came after A's lock had expired, pays as well; both payments go through. */
  async function bothPay(service: typeof BEFORE): Promise<string[]> {
    await stockUp(db, service.TABLES, ORDER.sku, 1);
    let paying = 0;
    const pay = async (): Promise<boolean> => {
      paying += 1;
      await until('B pays', () => paying === 2);
      return true;
    };
    const a = service.placeOrder(redis, { db, pay }, { ...ORDER, id: 'order-A' });
    await until(
      "A's lock has expired",
      async () => paying === 1 && (await redis.exists('order:lock:10086')) === 0,
    );
    const b = service.placeOrder(redis, { db, pay }, { ...ORDER, id: 'order-B' });
    return Promise.all([a, b]);
  }

  test('before: A writes although its lock is gone', async () => {
    expect(await bothPay(BEFORE)).toEqual(['placed', 'placed']);
    expect(await sold(BEFORE)).toEqual({ orders: 2, units: -1 });
  });

  test('after: the guarded write lets one of them have the unit', async () => {
    expect((await bothPay(AFTER)).sort()).toEqual(['placed', 'sold out']);
    expect(await sold(AFTER)).toEqual({ orders: 1, units: 0 });
  });

  async function factsOnOwnRedis(version: 'before' | 'after'): Promise<ReturnType<typeof factsOf>> {
    const demoRedis = await openRedis(server.url);
    if (!demoRedis) throw new Error('there is a server');
    try {
      return factsOf(await race(version, demoRedis, db));
    } finally {
      await demoRedis.close();
    }
  }
});

describe('an order that is sent twice', () => {
  const pay = (): Promise<boolean> => Promise.resolve(true);

  test('before: is written twice', async () => {
    await stockUp(db, BEFORE.TABLES, ORDER.sku, 5);
    for (let i = 0; i < 2; i++) await BEFORE.placeOrder(redis, { db, pay }, ORDER);
    expect(await sold(BEFORE)).toEqual({ orders: 2, units: 3 });
  });

  test('after: is written once, and answered alike', async () => {
    await stockUp(db, AFTER.TABLES, ORDER.sku, 5);
    for (let i = 0; i < 2; i++) expect(await AFTER.placeOrder(redis, { db, pay }, ORDER)).toBe('placed');
    expect(await sold(AFTER)).toEqual({ orders: 1, units: 4 });
  });

  test('after: many at once without any lock take what is there, and no more', async () => {
    await stockUp(db, AFTER.TABLES, ORDER.sku, 3);
    const ids = Array.from({ length: 12 }, (_, i) => `order-${String(i % 6)}`);
    const written = await Promise.all(ids.map((id) => AFTER.writeOrder(db, { ...ORDER, id })));
    expect(written.filter(Boolean)).toHaveLength(6);
    expect(await sold(AFTER)).toEqual({ orders: 3, units: 0 });
  });
});

test('the lock of after/place-order.ts is what eslint --fix makes of before/place-order.ts', async () => {
  const eslint = new ESLint({
    cwd: SERVICE,
    fix: true,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**/*.ts'], languageOptions: { parser } },
      { files: ['**/*.ts'], ...lockproof.configs.recommended },
    ],
  });
  const [fixed] = await eslint.lintFiles(['before/place-order.ts']);
  expect(fixed?.messages).toEqual([]);
  expect(fixed?.output).toBe(await readFile(`${SERVICE}after/place-order.ts`, 'utf8'));
});
