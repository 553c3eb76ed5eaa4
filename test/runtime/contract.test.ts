import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  acquireLease,
  createLocks,
  LeaseLostError,
  LockBusyError,
  LockUnavailableError,
  releaseLease,
  renewLease,
  tryAcquireLease,
  withLock,
  type RedisClient,
} from 'lockproof';
import { startRedisServer, type RedisServer } from 'lockproof/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  clientKinds,
  clusterKinds,
  inMemory,
  somebodyOn,
  type ClientKind,
  type Connected,
  type Somebody,
} from '../support/clients.js';
import { until } from '../support/until.js';

/** What every client must do, on whatever server. */
function contract(
  kind: ClientKind,
  url: () => string,
  prefix = kind.name.includes('prefix') ? 'app:' : '',
): void {
  describe(kind.name, () => {
    let connected: Connected;
    let client: RedisClient;
    let observer: Somebody;
    let key: string;
    let made = 0;

    beforeAll(async () => {
      connected = await kind.connect(url());
      client = connected.client;
      observer = connected.somebody ?? somebodyOn(url());
    });
    beforeEach(() => {
      key = `order:lock:{${kind.name} ${String(made++)}}`;
    });
    afterAll(() => {
      connected.close();
      observer.disconnect();
    });

    const stored = (): Promise<string | null> => observer.get(prefix + key);

    test('acquires under a token of its own, and the key holds the token alone', async () => {
      const lease = await tryAcquireLease(client, key, { ttlMs: 5_000 });
      expect(lease?.held).toBe(true);
      expect(await stored()).toBe(lease?.token);
      expect(await observer.pttl(prefix + key)).toBeGreaterThan(4_000);
      const next = await tryAcquireLease(client, `${key}:other`, { ttlMs: 5_000 });
      expect(next?.token).not.toBe(lease?.token);
    });

    test('is busy while somebody else holds the key', async () => {
      const lease = await acquireLease(client, key, { ttlMs: 5_000 });
      expect(await tryAcquireLease(client, key, { ttlMs: 5_000 })).toBeNull();
      await expect(acquireLease(client, key, { ttlMs: 5_000 })).rejects.toThrow(LockBusyError);
      expect(await stored()).toBe(lease.token);
    });

    test('is busy for old code that stores its own value', async () => {
      await observer.set(prefix + key, 'lock-owner', 5_000);
      expect(await tryAcquireLease(client, key, { ttlMs: 5_000 })).toBeNull();
      expect(await stored()).toBe('lock-owner');
    });

    test('waits for a lock that is given back', async () => {
      const lease = await acquireLease(client, key, { ttlMs: 5_000 });
      const waiting = acquireLease(client, key, { ttlMs: 5_000, waitMs: 5_000 });
      await sleep(50);
      await releaseLease(lease);
      expect((await waiting).held).toBe(true);
    });

    test('releases once, and tells absent from taken', async () => {
      const lease = await acquireLease(client, key, { ttlMs: 5_000 });
      expect(await releaseLease(lease)).toEqual({ released: true });
      expect(await stored()).toBeNull();
      expect(lease.held).toBe(false);
      expect(await releaseLease(client, key, lease.token)).toEqual({ released: false, reason: 'absent' });
      const other = await acquireLease(client, key, { ttlMs: 5_000 });
      expect(await releaseLease(client, key, lease.token)).toEqual({ released: false, reason: 'taken' });
      expect(await stored()).toBe(other.token);
    });

    test('renews its own lock alone, never creates one, never shortens a TTL', async () => {
      const lease = await acquireLease(client, key, { ttlMs: 1_000 });
      expect(await renewLease(client, key, lease.token, 60_000)).toBe(true);
      expect(await observer.pttl(prefix + key)).toBeGreaterThan(50_000);
      expect(await renewLease(client, key, lease.token, 1_000)).toBe(true);
      expect(await observer.pttl(prefix + key)).toBeGreaterThan(50_000);
      expect(await renewLease(client, key, 'somebody-else', 60_000)).toBe(false);
      await observer.del(prefix + key);
      expect(await renewLease(client, key, lease.token, 60_000)).toBe(false);
      expect(await stored()).toBeNull();
    });

    test('goes on after the server has forgotten the scripts', async () => {
      await observer.forgetScripts();
      const lease = await acquireLease(client, key, { ttlMs: 5_000 });
      await observer.forgetScripts();
      expect(await lease.renew()).toBe(true);
      await observer.forgetScripts();
      expect(await lease.release()).toEqual({ released: true });
    });

    test('puts nothing on the client', async () => {
      const before = Reflect.ownKeys(client);
      await withLock(client, key, { ttlMs: 5_000 }, () => undefined);
      expect(Reflect.ownKeys(client)).toEqual(before);
    });

    test('shows no token', async () => {
      const lease = await acquireLease(client, key, { ttlMs: 5_000 });
      const error = await acquireLease(client, key, { ttlMs: 5_000 }).catch((e: unknown) => e);
      for (const shown of [
        JSON.stringify(lease),
        inspect(lease, { depth: 9, showHidden: true }),
        inspect(error),
        String(error),
      ]) {
        expect(shown).not.toContain(lease.token);
      }
      expect(JSON.parse(JSON.stringify(lease))).toEqual({ key, ttlMs: 5_000 });
    });

    test('runs work under the lock, renewing it past its TTL', async () => {
      const result = await withLock(client, key, { ttlMs: 300 }, async (lease) => {
        await sleep(900);
        expect(await stored()).toBe(lease.token);
        return 42;
      });
      expect(result).toBe(42);
      expect(await stored()).toBeNull();
    });

    test('work that ends without the lease rejects with its result, and sends nothing more', async () => {
      const lost = await withLock(client, key, { ttlMs: 600 }, async (lease) => {
        await observer.set(prefix + key, 'somebody-else', 5_000);
        await until('the loss is heard', () => lease.signal.aborted);
        expect(lease.held).toBe(false);
        expect(() => {
          lease.throwIfLost();
        }).toThrow(LeaseLostError);
        return 42;
      }).catch((error: unknown) => error);
      expect(lost).toBeInstanceOf(LeaseLostError);
      expect(lost).toMatchObject({ code: 'LOCKPROOF_LOST', reason: 'taken', result: 42, key });
      expect(await stored()).toBe('somebody-else');
    });

    test("the work's own error wins over a lost lease", async () => {
      const error = new Error('out of stock');
      const work = withLock(client, key, { ttlMs: 600, renew: false }, async () => {
        await observer.set(prefix + key, 'somebody-else', 5_000);
        throw error;
      });
      await expect(work).rejects.toBe(error);
      expect(await stored()).toBe('somebody-else');
    });

    test('close lets work end, gives the locks back and takes no more', async () => {
      const locks = createLocks(client, { ttlMs: 5_000 });
      const lease = await locks.acquire(`${key}:held`);
      lease.signal.addEventListener('abort', () => void lease.release());
      let runs = false;
      const work = locks.withLock(key, async ({ signal }) => {
        runs = true;
        await sleep(100);
        return signal.reason as unknown;
      });
      await until('the work runs', () => runs);
      await locks.close({ graceMs: 5_000 });
      expect(await work).toMatchObject({ code: 'LOCKPROOF_CLOSED', key });
      expect(await stored()).toBeNull();
      expect(lease.held).toBe(false);
      await expect(locks.acquire(key)).rejects.toMatchObject({ code: 'LOCKPROOF_CLOSED' });
    });

    describe('with a closed connection', () => {
      let closed: Connected;

      beforeEach(async () => {
        closed = await kind.connect(url());
      });
      afterEach(() => {
        closed.close();
      });

      test('an acquire says so, and a release is unconfirmed', async () => {
        const lease = await acquireLease(closed.client, key, { ttlMs: 2_000 });
        closed.close();
        await expect(acquireLease(closed.client, `${key}:2`, { ttlMs: 2_000 })).rejects.toThrow(
          LockUnavailableError,
        );
        expect(await releaseLease(lease)).toEqual({ released: false, reason: 'unconfirmed' });
        expect(await releaseLease(closed.client, key, 'a-token')).toEqual({
          released: false,
          reason: 'unconfirmed',
        });
      });
    });
  });
}

describe('one server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());
  for (const kind of clientKinds) contract(kind, () => server.url);
});

describe('a cluster of one', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer({
      args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
    });
    const node = new Redis(server.url);
    await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until('the cluster is up', async () =>
      String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
    );
    node.disconnect();
  });
  afterAll(() => server.stop());
  for (const kind of clusterKinds) contract(kind, () => server.url);
});

describe('no server', () => {
  contract(inMemory, () => '');
});
