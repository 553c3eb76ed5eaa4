// One fault for one library in a process of its own: `node fault.mjs <adapter> <scenario> <port of the proxy> <ttl>`, started by faults.mjs.
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './adapters/index.mjs';
import { ask, tell } from './lib/child.mjs';
import { connect } from './lib/clients.mjs';
import { clock } from './lib/clock.mjs';

const [id, scenario, port, ttl] = process.argv.slice(2);
const TTL_MS = Number(ttl);
const KEY = 'order:lock';
const SETTLED_MS = 250;
const TICK_MS = 5;

let unhandled = 0;
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => (unhandled += 1));
// Some libraries warn of what is measured here.
console.error = console.warn = () => undefined;

const adapter = await load(id);
const { client, close } = await connect(adapter.client, Number(port));
const libOf = (wait) => adapter.make(client, { wait });
const key = adapter.key(KEY);

async function settle(promise) {
  try {
    const value = await promise;
    return { ok: true, says: String(value), at: clock() };
  } catch (error) {
    return { ok: false, says: String(error?.code ?? error?.name ?? error), at: clock() };
  }
}

/** Work that believes in its lock as long as the signal lets it, and notes the last moment that it did. */
async function believe(signal, untilMs) {
  const belief = { until: null, abortedAt: null };
  signal.addEventListener('abort', () => (belief.abortedAt ??= clock()));
  for (const end = clock() + untilMs; ; await sleep(TICK_MS)) {
    const at = clock();
    if (signal.aborted) {
      belief.abortedAt ??= at;
      return belief;
    }
    belief.until = at;
    if (at > end) return belief;
  }
}

/** The fault lasts three TTLs; somebody else asks for the lock from its first moment on. */
async function outage(fault) {
  let belief;
  const lib = libOf('once');
  const section = adapter.using(lib, KEY, TTL_MS, async ({ signal }) => {
    await sleep(SETTLED_MS);
    await ask('takeBeside', key);
    await ask('fault', { fault, forMs: 3 * TTL_MS });
    belief = await believe(signal, 4 * TTL_MS);
  });
  const end = await settle(section);
  const takenAt = await ask('taken');
  return {
    overlapMs: takenAt === null ? null : belief.until - takenAt,
    leadMs: takenAt === null || belief.abortedAt === null ? null : takenAt - belief.abortedAt,
    section: end.ok ? 'resolves' : `rejects ${end.says}`,
  };
}

/** The fault ends before the TTL does: the lock must still be ours a TTL later. */
async function passing(fault, forMs, value) {
  let kept;
  const section = adapter.using(libOf('once'), KEY, TTL_MS, async ({ signal }) => {
    await sleep(SETTLED_MS);
    const before = await ask('owner', key);
    await ask('fault', { fault, forMs, value });
    const belief = await believe(signal, forMs + TTL_MS);
    kept = belief.abortedAt === null && before === (await ask('owner', key));
  });
  const end = await settle(section);
  return { kept, section: end.ok ? 'resolves' : `rejects ${end.says}` };
}

const scenarios = {
  silent: () => outage('silence'),
  refused: () => outage('refuse'),
  paused: () => outage('pause'),
  frozen: () => outage('freeze'),
  stopped: () => outage('stop'),

  async stall() {
    let knownAtOnce;
    const section = adapter.using(libOf('once'), KEY, TTL_MS, async ({ signal }) => {
      await sleep(SETTLED_MS);
      const end = clock() + 2 * TTL_MS;
      while (clock() < end);
      knownAtOnce = signal.aborted;
      await believe(signal, TTL_MS);
    });
    await settle(section);
    return { knownAtOnce };
  },

  blip: () => passing('refuse', 0.4 * TTL_MS),
  cut: () => passing('cut', 0),
  slow: () => passing('delay', 2 * TTL_MS, 0.1 * TTL_MS),

  async 'lost acquire'() {
    const lib = libOf({ delay: 100, total: 4 * TTL_MS });
    await adapter.release(lib, await adapter.acquire(lib, 'warm', 5_000));
    await ask('dropReply');
    const { ok, says, at } = await settle(adapter.acquire(lib, KEY, TTL_MS));
    const { reconnectedAt } = await ask('dropped');
    return { overReconnectMs: ok ? at - reconnectedAt : null, says: ok ? 'acquired' : says };
  },

  async 'lost release'() {
    const lib = libOf('once');
    await adapter.release(lib, await adapter.acquire(lib, 'warm', 5_000));
    const lock = await adapter.acquire(lib, KEY, 4 * TTL_MS);
    await ask('dropReply');
    const { ok, says } = await settle(adapter.release(lib, lock));
    return { says: ok ? says : `throws ${says}`, gone: (await ask('owner', key)) === null };
  },

  /** The section is over, and the application closes its client. */
  async 'exit clean'() {
    const lib = libOf('once');
    await adapter.using(lib, KEY, TTL_MS, () => sleep(SETTLED_MS));
    return { closingAt: await closeAll(lib) };
  },

  /** The application closes its client while the lock is held. */
  async 'exit held'() {
    const lib = libOf('once');
    void settle(adapter.using(lib, KEY, TTL_MS, () => new Promise(() => undefined)));
    await sleep(SETTLED_MS);
    return { closingAt: await closeAll(lib) };
  },
};

async function closeAll(lib) {
  const at = clock();
  await adapter.close?.(lib);
  close();
  return at;
}

const result = await scenarios[scenario]();
// Rejections that come late count, too.
if (!scenario.startsWith('exit')) await sleep(SETTLED_MS);
await tell('result', { ...result, unhandled });
if (scenario.startsWith('exit')) process.disconnect();
else process.exit(0);
