// What a lock costs without anybody else wanting it: our runtime and others beside the bare commands, all in one run, interleaved.
// `--json` prints for machines, `--quick` measures less. Ends with 1 when a figure of ours misses its target. See README.md.
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Redis } from 'ioredis';
import { startRedisServer } from 'lockproof/testing';
import { newToken } from '../../runtime/dist/esm/token.js';
import { load, OURS, RAW, RIVALS } from './adapters/index.mjs';
import { connect } from './lib/clients.mjs';
import { clock, median, quantile } from './lib/clock.mjs';
import { table } from './lib/table.mjs';

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, only: { type: 'string' } },
});
const run = promisify(execFile);
const ROUNDS = flags.quick ? 5 : 25;
const SLOT_MS = flags.quick ? 60 : 150;
const PROCESSES = flags.quick ? 3 : 9;
const TTL_MS = 10_000;
const KEYS = 5_000;
const IN_FLIGHT = [1, 64];

const TARGETS = {
  commands: (id) => (id.startsWith('lockproof') ? { atMost: 2 } : null),
  'ops 1': (id) => (id.startsWith('lockproof') ? { atLeast: 0.95 } : null),
  'ops 64': (id) => {
    if (id.startsWith('lockproof-node-redis')) return { atLeast: 0.95 };
    return id.startsWith('lockproof') ? { atLeast: 1.4 } : null;
  },
  'import KB': (id) => (id.startsWith('lockproof') ? { atMost: 60 } : null),
  'exit ms': (id) => (id.startsWith('lockproof') ? { atMost: 150 } : null),
  'token ns': (id) => (id === 'lockproof' ? { atMost: 250 } : null),
};
const meets = (value, { atMost = Infinity, atLeast = -Infinity }) => value <= atMost && value >= atLeast;

/** The server on one core, we on another, where the system lets us: else they take turns on the same one. */
function pin(pid, core) {
  try {
    execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' });
  } catch {
    // Not everywhere to be had; the ratios stay ratios of one run.
  }
}

const server = await startRedisServer();
pin(server.pid, 0);
pin(process.pid, 1);
const control = new Redis(server.url);

async function prepare(id) {
  const adapter = await load(id);
  const { client, close } = await connect(adapter.client, server.port);
  const lib = adapter.make(client, { wait: 'once' });
  return { ...adapter, lib, close };
}

const ids = [...Object.values(RAW), ...(flags.only?.split(',') ?? [...RIVALS, ...OURS])];
const adapters = await Promise.all(ids.map(prepare));
const rawOf = (adapter) => adapters.find(({ id }) => id === RAW[adapter.client]);

/** What a client sends for one cycle; what scripts call is not counted. */
async function commandsOf(adapter) {
  const CYCLES = 20;
  await cycle(adapter, 'warm');
  const monitor = await control.monitor();
  const seen = {};
  monitor.on('monitor', (_time, [name], source) => {
    if (source !== 'lua') seen[name.toLowerCase()] = (seen[name.toLowerCase()] ?? 0) + 1;
  });
  for (let i = 0; i < CYCLES; i++) await cycle(adapter, `monitor:${i}`);
  await sleep(50);
  monitor.disconnect();
  return Object.fromEntries(Object.entries(seen).map(([name, times]) => [name, times / CYCLES]));
}

async function cycle(adapter, key) {
  const handle = await adapter.acquire(adapter.lib, key, TTL_MS);
  if (handle === null) throw new Error(`${adapter.id} did not get the free lock "${key}"`);
  await adapter.release(adapter.lib, handle);
}

let next = 0;

async function slot(adapter, inFlight, ms) {
  const began = performance.now();
  const latencies = [];
  const one = async () => {
    while (performance.now() - began < ms) {
      const start = performance.now();
      await cycle(adapter, `key:${next++ % KEYS}`);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  return {
    ops: latencies.length / (performance.now() - began),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

const shuffled = (list) =>
  list
    .map((item) => [Math.random(), item])
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

/** The ratios of one adapter to its raw client in slots side by side, first the one or first the other. */
async function pair(adapter, inFlight) {
  const raw = rawOf(adapter);
  const order = Math.random() < 0.5 ? [raw, adapter] : [adapter, raw];
  const slots = new Map();
  for (const each of order) slots.set(each, await slot(each, inFlight, SLOT_MS));
  // The raw client beside itself shows the noise.
  const theirs = slots.get(raw);
  const ours = adapter === raw ? await slot(raw, inFlight, SLOT_MS) : slots.get(adapter);
  return { ops: ours.ops / theirs.ops, p50: ours.p50 / theirs.p50, p99: ours.p99 / theirs.p99 };
}

async function uncontended(inFlight) {
  const ratios = new Map(adapters.map((adapter) => [adapter.id, []]));
  for (const adapter of adapters) await slot(adapter, inFlight, SLOT_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const adapter of shuffled(adapters)) ratios.get(adapter.id).push(await pair(adapter, inFlight));
  }
  return ratios;
}

function tokenNs(make) {
  const TOKENS = 20_000;
  const batches = Array.from({ length: 15 }, () => {
    const began = performance.now();
    for (let i = 0; i < TOKENS; i++) make();
    return ((performance.now() - began) * 1e6) / TOKENS;
  });
  return median(batches);
}

async function once(...args) {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'runtime-once.mjs'), ...args]);
  return { ...JSON.parse(stdout), endedAt: clock() };
}

const results = {};
try {
  for (const adapter of adapters) results[adapter.id] = { commands: await commandsOf(adapter) };
  for (const inFlight of IN_FLIGHT) {
    for (const [id, pairs] of await uncontended(inFlight)) {
      const of = (name, part) =>
        quantile(
          pairs.map((each) => each[name]),
          part,
        );
      results[id][inFlight] = {
        ops: of('ops', 0.5),
        opsP10: of('ops', 0.1),
        opsP90: of('ops', 0.9),
        p50: of('p50', 0.5),
        p99: of('p99', 0.5),
      };
    }
  }
  const packages = [...new Set(adapters.flatMap((adapter) => adapter.package ?? []))];
  const loads = Object.fromEntries(packages.map((name) => [name, []]));
  const exits = Object.fromEntries(adapters.map(({ id }) => [id, []]));
  for (let i = 0; i < PROCESSES; i++) {
    for (const name of packages) loads[name].push((await once('load', name)).loadMs);
    for (const { id } of adapters) {
      const { releasedAt, endedAt } = await once('exit', id, String(server.port));
      exits[id].push(endedAt - releasedAt);
    }
  }
  for (const { id, package: name } of adapters) {
    results[id].exitMs = median(exits[id]);
    if (!name) continue;
    results[id].loadMs = median(loads[name]);
    Object.assign(results[id], await once('size', name));
    delete results[id].endedAt;
  }
} finally {
  for (const { close } of adapters) close();
  control.disconnect();
  await server.stop();
}
const tokens = {
  lockproof: tokenNs(newToken),
  'crypto.randomUUID': tokenNs(randomUUID),
  'crypto.randomBytes(16)': tokenNs(() => randomBytes(16).toString('hex')),
};

const COLUMNS = ['commands', 'ops 1', 'ops 64', 'import KB', 'exit ms'];
const valueOf = {
  commands: ({ commands }) => Object.values(commands).reduce((sum, times) => sum + times, 0),
  'ops 1': (result) => result[1].ops,
  'ops 64': (result) => result[64].ops,
  'import KB': ({ bytes }) => bytes / 1_024,
  'exit ms': ({ exitMs }) => exitMs,
};
const misses = [];
for (const [id, result] of Object.entries(results)) {
  for (const column of COLUMNS) {
    const target = TARGETS[column](id);
    if (target && !meets(valueOf[column](result), target)) {
      misses.push({ id, column, value: valueOf[column](result), ...target });
    }
  }
}
const tokenTarget = TARGETS['token ns']('lockproof');
if (!meets(tokens.lockproof, tokenTarget)) {
  misses.push({ id: 'lockproof', column: 'token ns', value: tokens.lockproof, ...tokenTarget });
}

if (flags.json) {
  console.log(
    JSON.stringify(
      { node: process.version, rounds: ROUNDS, slotMs: SLOT_MS, results, tokens, misses },
      null,
      2,
    ),
  );
} else {
  const f = (value, digits = 2) => (value === undefined ? '-' : value.toFixed(digits));
  const rows = adapters.map(({ id, name, client }) => {
    const r = results[id];
    const ops = (n) => `${f(r[n].ops)} [${f(r[n].opsP10)}-${f(r[n].opsP90)}]`;
    const sent = Object.entries(r.commands).map(([command, times]) => `${command} ${times}`);
    return [
      name,
      client,
      sent.join(' + '),
      ops(1),
      `${f(r[1].p50)} / ${f(r[1].p99)}`,
      ops(64),
      `${f(r[64].p50)} / ${f(r[64].p99)}`,
      f(r.bytes && r.bytes / 1_024, 1),
      f(r.loadMs, 1),
      f(r.exitMs, 0),
    ];
  });
  const head =
    'library,client,commands a cycle,ops 1 x,p50 / p99 x,ops 64 x,p50 / p99 x,import KB,load ms,exit ms';
  console.log(table([head.split(','), ...rows]));
  console.log(
    `\n${ROUNDS} rounds of ${SLOT_MS} ms; x: ratio to the raw client of the same library in the slot beside it, median [p10-p90]`,
  );
  console.log(
    `token ns: ${Object.entries(tokens)
      .map(([name, ns]) => `${name} ${f(ns, 0)}`)
      .join(', ')}`,
  );
  for (const { id, column, value, atMost, atLeast } of misses) {
    console.log(
      `missed: ${id}, ${column}: ${f(value)}, target ${atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`}`,
    );
  }
}
process.exitCode = misses.length > 0 ? 1 : 0;
