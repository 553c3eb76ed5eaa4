/** Replays the founding timeline on one version of the service, with a third request after A has left. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { LOST_CHANNEL, type Lost } from 'lockproof';
import { foundingTimeline, fromSection, runTimeline, type TimelineReport } from 'lockproof/testing';
import * as after from '../after/place-order.js';
import * as afterStock from '../after/stock.js';
import * as before from '../before/place-order.js';
import * as beforeStock from '../before/stock.js';
import { stockUp, type Database } from '../database/database.js';
import type { Outcome } from '../shop.js';
import type { DemoRedis } from './demo-redis.js';
import type { Exchange } from './recorded-redis.js';

const VERSIONS = { before: { ...before, ...beforeStock }, after: { ...after, ...afterStock } };
export type Version = keyof typeof VERSIONS;
export type Buyer = 'A' | 'B' | 'C';

const SKU = '10086';
const KEY = `order:lock:${SKU}`;

export interface Race {
  readonly version: Version;
  readonly report: TimelineReport;
  /** What the requests sent to Redis, in order. */
  readonly exchanges: readonly Exchange[];
  /** The lost leases that the runtime told of. */
  readonly losses: readonly Lost[];
  readonly outcomes: ReadonlyMap<Buyer, Outcome>;
  /** What the database holds in the end. */
  readonly stock: { readonly units: number; readonly orders: number };
}

/** A request that runs up to its payment, pays for as long as it is told, and ends. */
type Request = (buyer: Buyer, whilePaying: () => Promise<unknown>) => Promise<void>;

/** One unit is in stock. A's payment outlasts its lock and is declined; B buys meanwhile; C comes while B pays. */
export async function race(version: Version, redis: DemoRedis, db: Database): Promise<Race> {
  const { placeOrder, LOCK_TTL_MS, TABLES, unitsLeft } = VERSIONS[version];
  await stockUp(db, TABLES, SKU, 1);
  const exchanges: Exchange[] = [];
  const clients = {
    A: await redis.connect('A', exchanges),
    B: await redis.connect('B', exchanges),
    C: await redis.connect('C', exchanges),
  };
  const outcomes = new Map<Buyer, Outcome>();
  const request: Request = async (buyer, whilePaying) => {
    const pay = async (): Promise<boolean> => {
      await whilePaying();
      return buyer !== 'A';
    };
    const order = { id: `order-${buyer}`, sku: SKU, units: 1 };
    outcomes.set(buyer, await placeOrder(clients[buyer], { db, pay }, order));
  };

  const losses: Lost[] = [];
  const hear = (loss: unknown): void => void losses.push(loss as Lost);
  subscribe(LOST_CHANNEL, hear);
  try {
    const report = await replay(request, redis, LOCK_TTL_MS);
    const [count] = await db.query('select count(*) as orders from orders');
    const stock = { units: await unitsLeft(db, SKU), orders: Number(count?.orders) };
    return { version, report, exchanges, losses, outcomes, stock };
  } finally {
    unsubscribe(LOST_CHANNEL, hear);
  }
}

async function replay(request: Request, redis: DemoRedis, ttlMs: number): Promise<TimelineReport> {
  let third = Promise.resolve();
  const section = fromSection((work, who) => request(who, work));
  /** Resolves when C pays, which it does until B has ended, or when C was refused. */
  const meet = (bEnded: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      third = request('C', () => {
        resolve();
        return bEnded;
      });
      third.then(resolve, resolve);
    });
  const lock: typeof section = {
    acquire: (who) => section.acquire(who),
    release: async (entered, who) => {
      if (who === 'B') await meet(entered.ended);
      return section.release(entered, who);
    },
  };
  const report = await runTimeline(foundingTimeline, { observer: redis.observer, key: KEY, ttlMs, lock });
  await third;
  return report;
}
