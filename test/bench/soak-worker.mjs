// One of the processes of soak.mjs: takes and gives back locks until it has had its share, and notes when it believed in each.
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocks } from 'lockproof';
import { connect } from './lib/clients.mjs';
import { tell } from './lib/child.mjs';
import { clock } from './lib/clock.mjs';

const { port, kind, share, keys, ttlMs, loops, fence } = JSON.parse(process.argv[2]);
const BATCH = 200;
const WAIT_MS = 1_000;

let unhandled = 0;
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => (unhandled += 1));
process.on('message', ({ stallMs }) => {
  for (const end = clock() + stallMs; clock() < end;);
});

const { client, close } = await connect(kind, port);
const locks = createLocks(client, { ttlMs, ...(fence && { fence }) });

let acquired = 0;
let batch = [];
const counts = { lost: 0, busy: 0, failed: {}, released: {} };
const count = (of, name) => (of[name] = (of[name] ?? 0) + 1);
/** Used heap after a collection, by acquisitions. */
const heap = [];

function note(interval) {
  batch.push(interval);
  acquired += 1;
  if (batch.length < BATCH) return;
  const intervals = batch;
  batch = [];
  void tell('intervals', intervals);
  globalThis.gc();
  heap.push([acquired, process.memoryUsage().heapUsed]);
}

/** The last moment at which the lease was surely believed: the clock is read before the lease is asked. */
function look(lease, interval) {
  const at = clock();
  if (!lease.held) return false;
  interval[2] ??= at;
  interval[3] = at;
  return true;
}

async function once(key) {
  const lease = await locks.tryAcquire(key, { waitMs: WAIT_MS, renew: Math.random() < 0.5 });
  if (!lease) {
    counts.busy += 1;
    return;
  }
  // Key, fence, first and last moment of belief.
  const interval = [key, fence ? String(lease.fence) : null, null, null];
  // Most work is short; some outlives a TTL.
  const workMs = Math.random() < 0.01 ? Math.random() * 2 * ttlMs : Math.random() * 2;
  for (const end = clock() + workMs; look(lease, interval) && clock() < end;) await sleep(1);
  if (!look(lease, interval)) counts.lost += 1;
  const outcome = await lease.release();
  count(counts.released, outcome.released ? 'released' : outcome.reason);
  note(interval);
}

async function loop() {
  while (acquired < share) {
    const key = `stock:lock:${Math.floor(Math.random() * keys)}`;
    await once(key).catch(async (error) => {
      count(counts.failed, error.code ?? error.name);
      // Redis is away: asking again at once would only spin.
      await sleep(20);
    });
  }
}
await Promise.all(Array.from({ length: loops }, loop));
const releasedAt = clock();
close();
await tell('intervals', batch);
await tell('result', { acquired, unhandled, heap, releasedAt, ...counts });
process.disconnect();
