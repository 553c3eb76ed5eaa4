// Two processes want the same locks while connections are cut and delayed, scripts forgotten, event loops blocked and Redis killed:
// two holders at once, a fence that does not rise, an unhandled rejection, a growing heap or a process that stays end this with 1.
// `--acquisitions 100000`, `--json`; see README.md.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { startRedisServer } from 'lockproof/testing';
import { startChild } from './lib/child.mjs';
import { startProxy } from './lib/proxy.mjs';
import { table } from './lib/table.mjs';

const { values: flags } = parseArgs({
  options: {
    acquisitions: { type: 'string', default: '100000' },
    json: { type: 'boolean' },
    // For a look at the other checks alone.
    'no-fence': { type: 'boolean' },
  },
});
const ACQUISITIONS = Number(flags.acquisitions);
const FENCE = !flags['no-fence'];
const TTL_MS = 300;
const KEYS = 12;
const LOOPS = 10;
const KINDS = ['ioredis5', 'redis5'];
const LONGEST_PAUSE_MS = 400;
const HEAP_BYTES_AN_ACQUISITION = 20;
const EXIT_MS = 150;
/** Below it, the heap still grows by what warms up. */
const FEWEST_FOR_HEAP = 20_000;

const between = (low, high) => low + Math.random() * (high - low);
const pick = (list) => list[Math.floor(Math.random() * list.length)];

const folder = await mkdtemp(join(tmpdir(), 'lockproof-soak-'));
/** Every write is on the disk before it is answered, so a kill loses no lock. */
const startServer = () =>
  startRedisServer({ args: ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder] });
let server = await startServer();

const byKey = new Map();
const workers = await Promise.all(
  KINDS.map(async (kind) => {
    const proxy = await startProxy(server.port);
    const worker = { kind, proxy, acquired: 0, result: null };
    const setting = {
      port: proxy.port,
      kind,
      share: ACQUISITIONS / KINDS.length,
      keys: KEYS,
      ttlMs: TTL_MS,
      loops: LOOPS,
      fence: FENCE,
    };
    const answers = {
      intervals(intervals) {
        worker.acquired += intervals.length;
        for (const [key, ...interval] of intervals) {
          if (!byKey.has(key)) byKey.set(key, []);
          byKey.get(key).push(interval);
        }
      },
      result(result) {
        worker.result = result;
      },
    };
    const path = join(import.meta.dirname, 'soak-worker.mjs');
    const { child, ended } = startChild(path, [JSON.stringify(setting)], answers, [
      '--expose-gc',
      '--no-warnings',
    ]);
    return Object.assign(worker, { child, ended });
  }),
);

const faults = {
  async cut() {
    pick(workers).proxy.cut();
  },
  async delay() {
    const { proxy } = pick(workers);
    proxy.delay(between(5, TTL_MS / 2));
    await sleep(between(50, TTL_MS));
    proxy.heal();
  },
  async silence() {
    const { proxy } = pick(workers);
    proxy.silence();
    await sleep(between(TTL_MS / 2, 2 * TTL_MS));
    proxy.heal();
  },
  async forget() {
    const redis = new Redis(server.url);
    await redis.script('FLUSH');
    redis.disconnect();
  },
  async stall() {
    const { child } = pick(workers);
    if (child.connected) child.send({ stallMs: between(TTL_MS / 2, 2 * TTL_MS) }, () => undefined);
  },
  async stop() {
    const { child } = pick(workers);
    child.kill('SIGSTOP');
    await sleep(between(TTL_MS / 2, 2 * TTL_MS));
    child.kill('SIGCONT');
  },
  async restart() {
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    server = await startServer();
    for (const { proxy } of workers) proxy.upstream = server.port;
  },
};
const injected = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]));

let running = true;
const allEnded = Promise.all(workers.map(({ ended }) => ended)).then((ends) => {
  running = false;
  return ends;
});
while (running) {
  await sleep(between(0, LONGEST_PAUSE_MS));
  // The last releases are undisturbed, so that the exit is measured and not a fault.
  if (workers.some(({ acquired }) => acquired > (0.98 * ACQUISITIONS) / KINDS.length)) break;
  const name = pick(Object.keys(faults));
  await faults[name]();
  injected[name] += 1;
}
const ends = await allEnded;
for (const { proxy } of workers) proxy.close();
await server.stop();
await rm(folder, { recursive: true, force: true });

/** Bytes an acquisition, by least squares over the second half: the first warms caches up. */
function slope(points) {
  const half = points.slice(points.length / 2);
  const mean = (of) => half.reduce((sum, point) => sum + of(point), 0) / half.length;
  const [x, y] = [mean(([n]) => n), mean(([, bytes]) => bytes)];
  const square = half.reduce((sum, [n]) => sum + (n - x) ** 2, 0);
  return half.reduce((sum, [n, bytes]) => sum + (n - x) * (bytes - y), 0) / square;
}

let overlaps = 0;
let longestOverlapMs = 0;
let notRising = 0;
let repeated = 0;
let believed = 0;
for (const intervals of byKey.values()) {
  const fences = intervals.map(([fence]) => fence);
  if (FENCE) repeated += fences.length - new Set(fences).size;
  // A lease that was over when its holder first looked was never believed in.
  const held = intervals.filter(([, from]) => from !== null).toSorted((a, b) => a[1] - b[1]);
  believed += held.length;
  let [latestEnd, lastFence] = [-Infinity, -1n];
  for (const [fence, from, to] of held) {
    if (from < latestEnd) {
      overlaps += 1;
      longestOverlapMs = Math.max(longestOverlapMs, latestEnd - from);
    }
    latestEnd = Math.max(latestEnd, to);
    if (!FENCE) continue;
    if (BigInt(fence) <= lastFence) notRising += 1;
    lastFence = BigInt(fence);
  }
}

const perProcess = workers.map(({ kind, result }, i) => ({
  client: kind,
  ended: ends[i].signal ?? ends[i].code,
  exitMs: result && ends[i].at - result.releasedAt,
  heapSlope: result && slope(result.heap),
  ...result,
  heap: result?.heap.at(-1)?.[1],
}));
const acquisitions = perProcess.reduce((sum, { acquired }) => sum + (acquired ?? 0), 0);
const checks = [
  ['acquisitions', acquisitions, `>= ${ACQUISITIONS}`, acquisitions >= ACQUISITIONS],
  ['two holders at once', overlaps, '0', overlaps === 0],
  ['fences that did not rise', FENCE ? notRising : 'not asked for', '0', notRising === 0],
  ['fences given twice', FENCE ? repeated : 'not asked for', '0', repeated === 0],
  ...perProcess.flatMap(({ client, ended, unhandled, exitMs, heapSlope }) => [
    [`${client}: ended by itself with`, ended, '0', ended === 0],
    [`${client}: unhandled rejections`, unhandled, '0', unhandled === 0],
    [`${client}: exit after the last release, ms`, exitMs, `<= ${EXIT_MS}`, exitMs <= EXIT_MS],
    [
      `${client}: heap growth, bytes an acquisition`,
      heapSlope,
      `<= ${HEAP_BYTES_AN_ACQUISITION}`,
      ACQUISITIONS < FEWEST_FOR_HEAP || heapSlope <= HEAP_BYTES_AN_ACQUISITION,
    ],
  ]),
].map(([what, value, target, met]) => ({ what, value, target, met }));

if (flags.json) {
  console.log(
    JSON.stringify(
      { acquisitions, believed, injected, longestOverlapMs, checks, processes: perProcess },
      null,
      2,
    ),
  );
} else {
  const show = (value) => (typeof value === 'number' ? String(Math.round(value * 10) / 10) : String(value));
  const rows = checks.map(({ what, value, target, met }) => [
    what,
    show(value),
    target,
    met ? 'met' : 'missed',
  ]);
  console.log(table([['check', 'measured', 'target', ''], ...rows]));
  console.log(`\nfaults: ${JSON.stringify(injected)}`);
  for (const { client, lost, busy, failed, released } of perProcess) {
    console.log(`${client}: ${JSON.stringify({ lost, busy, failed, released })}`);
  }
  if (overlaps > 0) console.log(`longest overlap: ${show(longestOverlapMs)} ms`);
}
process.exitCode = checks.every(({ met }) => met) ? 0 : 1;
