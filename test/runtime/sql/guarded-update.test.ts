/** The guarded write on a real PostgreSQL, over several connections at once. */
import {
  fenceColumnSql,
  guardedUpdate,
  guardedUpdateOutcome,
  guardedUpdateSql,
  type GuardedUpdate,
} from 'lockproof/sql';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgresServer, type PostgresServer } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgresServer();
  pool = server.openPool(8);
}, 60_000);
afterAll(() => server.stop());

beforeEach(async () => {
  await pool.query('drop table if exists stock');
  await pool.query('create table stock (id bigint primary key, units integer, note text)');
  await pool.query(fenceColumnSql({ table: 'stock' }));
  await pool.query("insert into stock (id, units, note) values (5, 10, 'first')");
});

const update = (fence: number | bigint, units: number, id: unknown = 5): GuardedUpdate => ({
  table: 'stock',
  key: { id },
  set: { units },
  fence,
});
const row = async (): Promise<unknown> => (await pool.query('select units, fence from stock')).rows[0];

describe('one writer', () => {
  test('writes the row and its fence, as often as it likes', async () => {
    expect(await guardedUpdate(pool, update(7n, 9))).toEqual({ written: true });
    expect(await guardedUpdate(pool, update(7n, 8))).toEqual({ written: true });
    expect(await row()).toEqual({ units: 8, fence: '7' });
  });

  test('is fenced off by a newer one, and told so', async () => {
    await guardedUpdate(pool, update(7n, 9));
    expect(await guardedUpdate(pool, update(6n, 1))).toEqual({ written: false, reason: 'fenced' });
    expect(await row()).toEqual({ units: 9, fence: '7' });
  });

  test('is told of a row that is not there', async () => {
    expect(await guardedUpdate(pool, update(7n, 9, 6))).toEqual({ written: false, reason: 'absent' });
  });

  test('fences beyond 2^53 are compared exactly', async () => {
    const fence = 2n ** 63n - 1n;
    expect(await guardedUpdate(pool, update(fence, 9))).toEqual({ written: true });
    expect(await guardedUpdate(pool, update(fence - 1n, 1))).toEqual({ written: false, reason: 'fenced' });
    expect(await row()).toEqual({ units: 9, fence: String(fence) });
  });

  test('a row whose fence is NULL has no holder yet', async () => {
    await pool.query('alter table stock alter fence drop not null');
    await pool.query('update stock set fence = null');
    expect(await guardedUpdate(pool, update(1n, 9))).toEqual({ written: true });
  });

  test('keys and values of every kind go in as parameters', async () => {
    const outcome = await guardedUpdate(pool, {
      table: 'public.stock',
      key: { id: 5n, note: 'first' },
      set: { units: null, note: `'; drop table stock; --` },
      fence: 2n,
    });
    expect(outcome).toEqual({ written: true });
    const { rows } = await pool.query('select units, note from stock');
    expect(rows).toEqual([{ units: null, note: `'; drop table stock; --` }]);
  });

  test('names of every kind stay names', async () => {
    const table = `odd"name; drop table stock`;
    const [column, fenceColumn] = ['Select "x"', 'The Fence'];
    await pool.query(`create table "odd""name; drop table stock" (id int primary key, "Select ""x""" text)`);
    await pool.query(fenceColumnSql({ table, fenceColumn }));
    await pool.query(`insert into "odd""name; drop table stock" (id) values (1)`);
    const outcome = await guardedUpdate(pool, {
      table,
      key: { id: 1 },
      set: { [column]: 'y' },
      fence: 3n,
      fenceColumn,
    });
    expect(outcome).toEqual({ written: true });
    expect((await pool.query(`select * from "odd""name; drop table stock"`)).rows).toEqual([
      { id: 1, [column]: 'y', [fenceColumn]: '3' },
    ]);
    expect(await row()).toBeDefined();
  });

  test('the statement alone runs inside a transaction of its own', async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const statement = guardedUpdateSql(update(4n, 3));
      expect(guardedUpdateOutcome((await client.query(statement)).rows)).toEqual({ written: true });
      await client.query('rollback');
    } finally {
      client.release();
    }
    expect(await row()).toEqual({ units: 10, fence: '0' });
  });
});

describe('a writer that waits for another', () => {
  /** Fence 7 waits while a transaction has the row in its hands. */
  async function waitingFor(
    meanwhile: (other: pg.PoolClient) => Promise<unknown>,
    end: 'commit' | 'rollback',
  ): Promise<unknown> {
    const other = await pool.connect();
    const waiter = new pg.Client({ ...server.address, application_name: 'waiter' });
    try {
      await waiter.connect();
      await other.query('begin');
      await meanwhile(other);
      const outcome = guardedUpdate(waiter, update(7n, 1));
      await until('the other one waits', async () => {
        const { rows } = await pool.query(
          "select 1 from pg_stat_activity where application_name = 'waiter' and wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      });
      await other.query(end);
      return await outcome;
    } finally {
      other.release();
      await waiter.end();
    }
  }

  test('and that turns out newer, is fenced', async () => {
    const outcome = await waitingFor((other) => guardedUpdate(other, update(9n, 2)), 'commit');
    expect(outcome).toEqual({ written: false, reason: 'fenced' });
    expect(await row()).toEqual({ units: 2, fence: '9' });
  });

  test('and that turns out older, overwrites it', async () => {
    const outcome = await waitingFor((other) => guardedUpdate(other, update(6n, 2)), 'commit');
    expect(outcome).toEqual({ written: true });
    expect(await row()).toEqual({ units: 1, fence: '7' });
  });

  test('and that rolls back, writes', async () => {
    const outcome = await waitingFor((other) => guardedUpdate(other, update(9n, 2)), 'rollback');
    expect(outcome).toEqual({ written: true });
  });

  test('and that deletes the row, finds it absent', async () => {
    const outcome = await waitingFor((other) => other.query('delete from stock where id = 5'), 'commit');
    expect(outcome).toEqual({ written: false, reason: 'absent' });
  });
});

test('many writers out of order: no fence ever goes back, and the newest one stays', async () => {
  await pool.query('create table if not exists history (n serial, before bigint, after bigint, units int)');
  await pool.query(`create or replace function keep() returns trigger language plpgsql as $$
    begin insert into history (before, after, units) values (old.fence, new.fence, new.units); return new; end $$`);
  await pool.query('create trigger keep before update on stock for each row execute function keep()');

  const fences = Array.from({ length: 200 }, (_, i) => BigInt((i * 73) % 200) + 1n);
  expect(new Set(fences).size).toBe(200);
  const outcomes = await Promise.all(
    fences.map(async (fence) => ({ fence, ...(await guardedUpdate(pool, update(fence, Number(fence)))) })),
  );

  const { rows } = await pool.query<{ before: string; after: string }>(
    'select before, after from history order by n',
  );
  expect(rows.every(({ before, after }) => BigInt(after) > BigInt(before))).toBe(true);
  const written = outcomes.filter((outcome) => outcome.written).map(({ fence }) => String(fence));
  expect(rows.map(({ after }) => after).sort()).toEqual(written.sort());
  expect(outcomes.filter((o) => !o.written).every((o) => 'reason' in o && o.reason === 'fenced')).toBe(true);
  expect(written.length).toBeLessThan(200);
  expect(await row()).toEqual({ units: 200, fence: '200' });
});

describe('wrong arguments', () => {
  const good = update(1n, 1);
  const wrong = (change: object): GuardedUpdate => ({ ...good, ...change });

  test.each<[string, object, RegExp]>([
    [
      'no fence',
      { fence: undefined },
      /fence must be a safe integer or a bigint, got undefined: acquire .*fence: true/,
    ],
    [
      'a fraction',
      { fence: 5.5 },
      /fence must be a safe integer or a bigint, got 5\.5: pass lease.fence, or BigInt\(text\)/,
    ],
    ['a negative fence', { fence: -1n }, /fence must be from 1 to 9223372036854775807, got -1/],
    ['a fence too large', { fence: 2n ** 63n }, /fence must be from 1 to/],
    ['a table of three parts', { table: 'a.b.c' }, /table must be a name or schema.name, got "a.b.c"/],
    ['a table without a name', { table: 'shop.' }, /table has an empty name/],
    ['no table', { table: undefined }, /table must be a string such as "stock"/],
    ['a name with NUL', { table: 'a\0b' }, /holds a NUL/],
    ['a name that would be cut', { table: 'ö'.repeat(32) }, /longer than the 63 bytes/],
    ['no key', { key: {} }, /key names no column: give \{ id: 5 \}/],
    ['a key that is a value', { key: 5 }, /key must be an object such as \{ id: 5 \}, got 5/],
    ['a key of undefined', { key: { id: undefined } }, /key\.id is undefined, which equals no row/],
    ['nothing to set', { set: {} }, /set names no column/],
    ['undefined to set', { set: { units: undefined } }, /set\.units is undefined: pass null/],
    [
      'the fence in set',
      { set: { fence: 9 } },
      /set\.fence is the fence column, which the update writes itself/,
    ],
    ['a fence column of no name', { fenceColumn: '' }, /fenceColumn has an empty name/],
  ])('%s', (_, change, message) => {
    expect(() => guardedUpdateSql(wrong(change))).toThrow(message);
    expect(() => guardedUpdateSql(wrong(change))).toThrow(
      expect.objectContaining({ name: 'TypeError', code: 'LOCKPROOF_ARGUMENT' }),
    );
  });

  test('no connection, no update, other rows', async () => {
    await expect(guardedUpdate(pg.Pool as never, good)).rejects.toThrow(
      /db is the function .*not a connection/,
    );
    await expect(guardedUpdate({} as never, good)).rejects.toThrow(/db must have query\(text, values\), got/);
    await expect(guardedUpdate(pool, undefined as never)).rejects.toThrow(/update must be an object such as/);
    expect(() => guardedUpdateOutcome([])).toThrow(/rows must be those/);
  });
});
