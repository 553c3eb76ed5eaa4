/** Idempotent work on a real PostgreSQL: exactly once under concurrency, and nothing left of work that failed. */
import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { createRequire } from 'node:module';
import * as sql from 'lockproof/sql';
import { idempotencyTableSql, once, OnceInProgressError } from 'lockproof/sql';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgresServer();
  pool = server.openPool(60);
  await pool.query(idempotencyTableSql());
  await pool.query('create table orders (id serial, key text, attempt int)');
}, 60_000);
afterAll(() => server.stop());
beforeEach(() => pool.query('truncate orders, idempotency_records'));

const count = async (table: string): Promise<number> =>
  Number((await pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);

interface Placed {
  id: number;
}
const place = async (tx: sql.Queryable): Promise<Placed> => {
  const { rows } = await tx.query("insert into orders (key) values ('order-1') returning id");
  return rows[0] as Placed;
};
const KEY = { key: 'order-1' };

describe('repeats', () => {
  test('the first call does the work, a repeat gets its result', async () => {
    const first = await once(pool, KEY, place);
    expect(first).toMatchObject({ repeated: false, result: { id: expect.any(Number) as number } });
    expect(await once(pool, KEY, place)).toEqual({ result: first.result, repeated: true });
    expect(await once(pool, { key: 'order-2' }, place)).toMatchObject({ repeated: false });
    expect(await count('orders')).toBe(2);
  });

  test('50 calls at once do the work once, and all get the same result', async () => {
    let runs = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        once(pool, { ...KEY, waitMs: 60_000 }, (tx) => {
          runs += 1;
          return place(tx);
        }),
      ),
    );
    expect(runs).toBe(1);
    expect(await count('orders')).toBe(1);
    expect(outcomes.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(new Set(outcomes.map(({ result }) => result.id)).size).toBe(1);
  });

  test.each<[string, unknown, unknown]>([
    ['nothing', undefined, undefined],
    ['null', null, null],
    ['a date, as its text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['a string that JSON must escape', '\u0000 "\ud800', '\u0000 "\ud800'],
  ])('the first call and its repeat answer alike: %s', async (_, returned, expected) => {
    expect(await once(pool, KEY, () => returned)).toEqual({ result: expected, repeated: false });
    expect(await once(pool, KEY, () => 'again')).toEqual({ result: expected, repeated: true });
  });

  test('another table', async () => {
    await pool.query('create schema shop');
    await pool.query(idempotencyTableSql({ table: 'shop.Done' }));
    await once(pool, { ...KEY, table: 'shop.Done' }, place);
    expect(await count('shop."Done"')).toBe(1);
    expect(await count('idempotency_records')).toBe(0);
  });

  test("a caller's own client", async () => {
    const client = new pg.Client(server.address);
    await client.connect();
    try {
      // The work gets the very client that went in, with its type.
      const { result } = await once(client, KEY, (tx: pg.Client) => tx === client);
      expect(result).toBe(true);
      expect(await once(client, KEY, place)).toMatchObject({ repeated: true });
    } finally {
      await client.end();
    }
  });
});

/** A call whose work waits: until it is let go, the key is in its hands. */
function atWork(): {
  go: () => void;
  fail: (error: Error) => void;
  call: Promise<unknown>;
  begun: () => boolean;
} {
  let go: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let begun = false;
  const gate = new Promise<void>((resolve, reject) => {
    go = resolve;
    fail = reject;
  });
  const call = once(pool, KEY, async (tx) => {
    begun = true;
    await gate;
    return place(tx);
  });
  return { go, fail, call, begun: () => begun };
}

const aCallWaits = (): Promise<void> =>
  until('a call waits', async () => {
    const { rows } = await pool.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into \"idempotency%'",
    );
    return rows.length > 0;
  });

describe('a call while the first is at work', () => {
  test('waits for its result', async () => {
    const first = atWork();
    await until('the first works', first.begun);
    const second = once(pool, { ...KEY, waitMs: 60_000 }, place);
    await aCallWaits();
    first.go();
    expect(await second).toMatchObject({ repeated: true });
    expect(await first.call).toMatchObject({ repeated: false });
    expect(await count('orders')).toBe(1);
  });

  test('does the work itself when the first fails', async () => {
    const first = atWork();
    await until('the first works', first.begun);
    const failed = expect(first.call).rejects.toThrow('declined');
    const second = once(pool, { ...KEY, waitMs: 60_000 }, place);
    await aCallWaits();
    first.fail(new Error('declined'));
    expect(await second).toMatchObject({ repeated: false });
    await failed;
    expect(await count('orders')).toBe(1);
  });

  test.each([0, 50])(
    'is told after waitMs %d that it is in progress, and keeps its connection',
    async (waitMs) => {
      const first = atWork();
      await until('the first works', first.begun);
      const open = pool.totalCount;
      const second = once(pool, { ...KEY, waitMs }, place);
      await expect(second).rejects.toThrow(OnceInProgressError);
      await expect(second).rejects.toMatchObject({ code: 'LOCKPROOF_IN_PROGRESS', key: 'order-1' });
      expect(pool.totalCount).toBeGreaterThanOrEqual(open);
      first.go();
      await first.call;
      expect(await once(pool, { ...KEY, waitMs }, place)).toMatchObject({ repeated: true });
    },
  );
});

describe('work that fails', () => {
  test('leaves no record and nothing of its own, and its error is thrown on', async () => {
    const error = new Error('declined');
    const call = once(pool, KEY, async (tx) => {
      await place(tx);
      throw error;
    });
    await expect(call).rejects.toBe(error);
    expect([await count('orders'), await count('idempotency_records')]).toEqual([0, 0]);
    expect(await once(pool, KEY, place)).toMatchObject({ repeated: false });
  });

  test('because JSON cannot keep its result', async () => {
    const call = once(pool, KEY, async (tx) => {
      await place(tx);
      return { units: 3n };
    });
    await expect(call).rejects.toThrow(/the work must return what JSON can keep, got an object/);
    expect([await count('orders'), await count('idempotency_records')]).toEqual([0, 0]);
  });

  test('by an SQL error that it swallowed', async () => {
    const call = once(pool, KEY, async (tx) => {
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(call).rejects.toMatchObject({ code: '25P02' });
    expect(await count('idempotency_records')).toBe(0);
  });

  test.each(['commit', 'rollback'])('because it ended the transaction itself: %s', async (end) => {
    const call = once(pool, KEY, (tx) => tx.query(end));
    await expect(call).rejects.toThrow(/the work ended the transaction of once itself: leave out its commit/);
  });

  test('because the connection broke between two statements', async () => {
    const call = once(pool, KEY, async (tx) => {
      await place(tx);
      const { rows } = await tx.query('select pg_backend_pid() as pid');
      await pool.query('select pg_terminate_backend($1)', [(rows[0] as { pid: number }).pid]);
      await until('the server has ended it', async () => {
        const { rows: left } = await pool.query('select 1 from pg_stat_activity where pid = $1', [
          (rows[0] as { pid: number }).pid,
        ]);
        return left.length === 0;
      });
    });
    await expect(call).rejects.toThrow(/terminat|not queryable/i);
    expect([await count('orders'), await count('idempotency_records')]).toEqual([0, 0]);
    expect(await once(pool, KEY, place)).toMatchObject({ repeated: false });
  });

  test('because the process died in the middle', async () => {
    const script = `
      import pg from 'pg';
      import { once } from 'lockproof/sql';
      await once(new pg.Pool(${JSON.stringify(server.address)}), { key: 'order-1' }, async (tx) => {
        await tx.query("insert into orders (key) values ('order-1')");
        console.log('working');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await event(child.stdout, 'data');
    const waiting = once(pool, { ...KEY, waitMs: 60_000 }, place);
    await aCallWaits();
    child.kill('SIGKILL');
    expect(await waiting).toMatchObject({ repeated: false });
    expect([await count('orders'), await count('idempotency_records')]).toEqual([1, 1]);
  });
});

test("the work has the session's own lock_timeout, and so has the connection afterwards", async () => {
  const client = new pg.Client({ ...server.address, options: '-c lock_timeout=1234' });
  await client.connect();
  const timeout = async (tx: pg.Client): Promise<unknown> =>
    (await tx.query<{ lock_timeout: string }>('show lock_timeout')).rows[0]?.lock_timeout;
  try {
    expect((await once(client, KEY, timeout)).result).toBe('1234ms');
    expect(await timeout(client)).toBe('1234ms');
  } finally {
    await client.end();
  }
});

describe('wrong arguments', () => {
  test.each<[string, unknown, RegExp]>([
    ['no options', undefined, /options must be an object such as \{ key: 'order:1' \}, got undefined/],
    ['no key', {}, /key must be a string that names the request, got undefined/],
    ['an empty key', { key: '' }, /key must be a string that names the request, got ""/],
    [
      'a wait of no time',
      { key: 'a', waitMs: -1 },
      /waitMs must be a number of milliseconds from 0 to .*got -1/,
    ],
    ['a wait for ever', { key: 'a', waitMs: Infinity }, /waitMs must be .*got Infinity/],
    ['a table without a name', { key: 'a', table: '' }, /table has an empty name/],
  ])('%s', async (_, options, message) => {
    await expect(once(pool, options as sql.OnceOptions, place)).rejects.toThrow(message);
    await expect(once(pool, options as sql.OnceOptions, place)).rejects.toMatchObject({
      code: 'LOCKPROOF_ARGUMENT',
    });
  });

  test('no work, and no connection of its own', async () => {
    await expect(once(pool, KEY, 'work' as never)).rejects.toThrow(/the work must be a function, got "work"/);
    const query = pool.query.bind(pool) as never;
    await expect(once({ query }, KEY, place)).rejects.toThrow(
      /db must be one connection or have connect\(\)/,
    );
  });

  test('a client inside a transaction, which stays open', async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await expect(once(client, KEY, place)).rejects.toThrow(/db is a client inside a transaction/);
      expect(client.getTransactionStatus()).toBe('T');
      await client.query('rollback');
    } finally {
      client.release();
    }
  });
});

test('CommonJS and ES modules get the same names', () => {
  const cjs = createRequire(import.meta.url)('lockproof/sql') as typeof sql;
  expect(Object.keys(cjs).sort()).toEqual(Object.keys(sql).sort());
});
