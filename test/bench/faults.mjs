// What becomes of a lock when Redis, the network or the process fails: our runtime and others on a real Redis behind a proxy.
// `--json` prints for machines, `--only a,b` and `--scenarios x,y` choose. Ends with 1 when ours misses a target. See README.md.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { startRedisServer } from 'lockproof/testing';
import { load, RIVALS } from './adapters/index.mjs';
import { startChild } from './lib/child.mjs';
import { clock } from './lib/clock.mjs';
import { startProxy } from './lib/proxy.mjs';
import { table } from './lib/table.mjs';

const TTL_MS = 2_000;
const LONGEST_MS = 40_000;
const LONGEST_EXIT_MS = 10_000;

const noOverlap = ({ overlapMs }) => overlapMs === null || overlapMs <= 0;
const early = ({ leadMs }) => leadMs === null || leadMs >= 20;
const ms = (value) => (typeof value === 'number' ? `${Math.round(value)} ms` : 'none');
const outage = (title) => [
  { title: `${title}: two holders for`, show: (r) => ms(r.overlapMs), target: '<= 0 ms', meets: noOverlap },
  { title: '  aborted before the other holds', show: (r) => ms(r.leadMs), target: '>= 20 ms', meets: early },
  { title: '  the section', show: (r) => r.section },
];
const passing = (title) => [
  { title: `${title}: keeps the lock`, show: (r) => String(r.kept), target: 'true', meets: (r) => r.kept },
];
const exit = (title) => [
  {
    title,
    show: (r) => (r.exitMs === null ? `over ${LONGEST_EXIT_MS} ms` : ms(r.exitMs)),
    target: '<= 150 ms',
    meets: (r) => r.exitMs !== null && r.exitMs <= 150,
  },
];

const SCENARIOS = {
  silent: outage('the network is silent, 3 TTL'),
  refused: outage('connections are refused, 3 TTL'),
  paused: outage('CLIENT PAUSE, 3 TTL'),
  frozen: outage('redis-server is stopped, 3 TTL'),
  // Who stands still aborts nothing before the other holds; what counts is that it believes in nothing afterwards.
  stopped: outage('the holder is stopped, 3 TTL').filter(({ meets }) => meets !== early),
  stall: [
    {
      title: 'event loop blocked for 2 TTL: known at once',
      show: (r) => String(r.knownAtOnce),
      target: 'true',
      meets: (r) => r.knownAtOnce,
    },
  ],
  blip: passing('refused for 0.4 TTL'),
  cut: passing('connection cut once'),
  slow: passing('each chunk 0.1 TTL late, 2 TTL'),
  'lost acquire': [
    {
      title: 'reply of the acquire lost: taken, after the reconnect',
      show: (r) => (r.overReconnectMs === null ? r.says : ms(r.overReconnectMs)),
      target: '<= 150 ms',
      meets: (r) => r.overReconnectMs !== null && r.overReconnectMs <= 150,
    },
  ],
  'lost release': [
    {
      title: 'reply of the release lost: says',
      show: (r) => `${r.says}${r.gone ? '' : ', key stays'}`,
      target: 'released',
      meets: (r) => r.says === 'released' && r.gone,
    },
  ],
  'exit clean': exit('exit after the last release'),
  'exit held': exit('exit with a lock held'),
};

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean' },
    only: { type: 'string' },
    scenarios: { type: 'string' },
    parallel: { type: 'string', default: '2' },
  },
});
const ids = flags.only?.split(',') ?? ['lockproof-fence', 'lockproof-node-redis-fence', ...RIVALS];
const scenarios = flags.scenarios?.split(',') ?? Object.keys(SCENARIOS);

/** Somebody else asks for the lock, on a connection of its own, until it has it. */
async function takeBeside(redis, key, signal) {
  while (!signal.aborted) {
    if ((await redis.set(key, 'somebody-else', 'PX', 60_000, 'NX')) === 'OK') return clock();
    await sleep(2);
  }
  return null;
}

async function measure(id, scenario) {
  const server = await startRedisServer();
  const proxy = await startProxy(server.port);
  const beside = new Redis(server.url);
  const over = new AbortController();
  let taking = Promise.resolve(null);
  let dropped;
  let result;

  const faults = {
    silence: () => proxy.silence(),
    refuse: () => proxy.refuse(),
    cut: () => proxy.cut(),
    delay: (delayMs) => proxy.delay(delayMs),
    pause: (_value, forMs) => beside.client('PAUSE', forMs, 'ALL'),
    freeze: () => process.kill(server.pid, 'SIGSTOP'),
    stop: () => setTimeout(() => child.kill('SIGSTOP'), 20),
  };
  const mends = {
    freeze: () => process.kill(server.pid, 'SIGCONT'),
    stop: () => child.kill('SIGCONT'),
  };
  const { child, ended } = startChild(
    join(import.meta.dirname, 'fault.mjs'),
    [id, scenario, String(proxy.port), String(TTL_MS)],
    {
      fault({ fault, forMs, value }) {
        faults[fault](value, forMs);
        setTimeout(() => (mends[fault] ?? (() => proxy.heal()))(), forMs);
      },
      owner: (key) => beside.get(key),
      takeBeside(key) {
        taking = takeBeside(beside, key, over.signal);
      },
      async taken() {
        setTimeout(() => over.abort(), 2 * TTL_MS);
        return taking;
      },
      dropReply() {
        dropped = proxy.dropReply();
      },
      dropped: () => dropped,
      result(value) {
        result = value;
      },
    },
  );
  const longest = scenario.startsWith('exit') ? LONGEST_EXIT_MS : LONGEST_MS;
  const limit = setTimeout(() => child.kill('SIGKILL'), longest);
  const { signal, code, at } = await ended;
  clearTimeout(limit);
  over.abort();
  beside.disconnect();
  proxy.close();
  await server.stop();
  if (result === undefined) return { failed: `ended with ${signal ?? code} and no result`, unhandled: 0 };
  return 'closingAt' in result ? { ...result, exitMs: signal ? null : at - result.closingAt } : result;
}

const names = Object.fromEntries(await Promise.all(ids.map(async (id) => [id, (await load(id)).name])));
const results = Object.fromEntries(ids.map((id) => [id, {}]));
const jobs = scenarios.flatMap((scenario) => ids.map((id) => ({ id, scenario })));
await Promise.all(
  Array.from({ length: Number(flags.parallel) }, async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      results[job.id][job.scenario] = await measure(job.id, job.scenario);
    }
  }),
);

const misses = [];
const rows = [];
for (const scenario of scenarios) {
  for (const { title, show, target = '', meets } of SCENARIOS[scenario]) {
    const cells = ids.map((id) => {
      const result = results[id][scenario];
      const cell = result.failed ?? show(result);
      if (id.startsWith('lockproof') && meets && (result.failed || !meets(result))) {
        misses.push({ id, scenario, title: title.trim(), value: cell, target });
      }
      return cell;
    });
    rows.push([title, target, ...cells]);
  }
}
const unhandled = ids.map((id) => Object.values(results[id]).reduce((sum, r) => sum + r.unhandled, 0));
rows.push(['unhandled rejections in all of them', '0', ...unhandled.map(String)]);
ids.forEach((id, i) => {
  if (id.startsWith('lockproof') && unhandled[i] > 0) {
    misses.push({
      id,
      scenario: 'all',
      title: 'unhandled rejections',
      value: String(unhandled[i]),
      target: '0',
    });
  }
});

if (flags.json)
  console.log(JSON.stringify({ node: process.version, ttlMs: TTL_MS, results, misses }, null, 2));
else {
  console.log(table([['fault', 'target', ...ids.map((id) => names[id])], ...rows]));
  for (const { id, title, value, target } of misses) {
    console.log(`missed: ${id}, ${title}: ${value}, target ${target}`);
  }
}
process.exitCode = misses.length > 0 ? 1 : 0;
