// What can be measured but once in a process, as JSON: `node runtime-once.mjs <load|size|exit> <package or adapter> [<port>]`
import { statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { load } from './adapters/index.mjs';
import { connect } from './lib/clients.mjs';
import { clock } from './lib/clock.mjs';

const [what, name, port] = process.argv.slice(2);
const print = (result) => console.log(JSON.stringify(result));

/** The application has its client loaded anyway. */
const CLIENTS = ['ioredis', 'redis'];

const measures = {
  async load() {
    for (const client of CLIENTS) await import(client);
    const began = performance.now();
    await import(name);
    print({ loadMs: performance.now() - began });
  },

  async size() {
    for (const client of CLIENTS) await import(client);
    const before = new Set(Object.keys(createRequire(import.meta.url).cache));
    const { port1, port2 } = new MessageChannel();
    const files = new Set();
    port1.on('message', (url) => files.add(fileURLToPath(url)));
    port1.unref();
    register('./lib/loaded-files.mjs', import.meta.url, { data: { port: port2 }, transferList: [port2] });
    await import(name);
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const path of Object.keys(createRequire(import.meta.url).cache)) files.add(path);
    const ours = [...files].filter((path) => !before.has(path));
    print({ files: ours.length, bytes: ours.reduce((sum, path) => sum + statSync(path).size, 0) });
  },

  async exit() {
    const adapter = await load(name);
    const { client, close } = await connect(adapter.client, Number(port));
    const lib = adapter.make(client, { wait: 'once' });
    const handle = await adapter.acquire(lib, 'exit', 10_000);
    await adapter.release(lib, handle);
    const releasedAt = clock();
    await adapter.close?.(lib);
    close();
    print({ releasedAt });
  },
};
await measures[what]();
