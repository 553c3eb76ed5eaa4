import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { clock } from './clock.mjs';

/**
 * A TCP proxy on a free port of 127.0.0.1 whose faults are switched while connections are open.
 *
 * @param upstream the port that it forwards to; `proxy.upstream` may be set later, for a server that came back elsewhere
 */
export async function startProxy(upstream) {
  const proxy = new Proxy(upstream);
  await proxy.listen();
  return proxy;
}

class Proxy {
  #server = createServer((down) => this.#accept(down));
  #pairs = new Set();
  #refusing = false;
  #silent = false;
  #delayMs = 0;
  #dropped = null;
  #reconnected = null;

  constructor(upstream) {
    this.upstream = upstream;
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
  }

  /** Resets every connection; new ones are taken. */
  cut() {
    for (const { down, up } of this.#pairs) {
      down.resetAndDestroy();
      up.destroy();
    }
  }

  /** Resets every connection, and new ones as well. */
  refuse() {
    this.#refusing = true;
    this.cut();
  }

  /** Keeps every byte of both directions until `heal`. */
  silence() {
    this.#silent = true;
  }

  /** Hands on each chunk so much later, in order. */
  delay(ms) {
    this.#delayMs = ms;
  }

  /**
   * Swallows the next reply and resets its connection: the server has done what the client never hears of.
   *
   * @returns the moments of the reset and of the next connection
   */
  async dropReply() {
    const reconnected = new Promise((resolve) => (this.#reconnected = resolve));
    const droppedAt = await new Promise((resolve) => (this.#dropped = resolve));
    return { droppedAt, reconnectedAt: await reconnected };
  }

  heal() {
    this.#refusing = false;
    this.#silent = false;
    this.#delayMs = 0;
    for (const pair of this.#pairs) pair.drain();
  }

  close() {
    this.#server.close();
    for (const { down, up } of this.#pairs) {
      down.destroy();
      up.destroy();
    }
  }

  #accept(down) {
    if (this.#refusing) {
      down.on('error', () => undefined);
      down.resetAndDestroy();
      return;
    }
    if (!this.#dropped) {
      this.#reconnected?.(clock());
      this.#reconnected = null;
    }
    const up = connect(this.upstream, '127.0.0.1');
    for (const socket of [down, up]) socket.setNoDelay(true);
    const toServer = this.#lane(up);
    const toClient = this.#lane(down);
    const pair = {
      down,
      up,
      drain: () => {
        toServer.drain();
        toClient.drain();
      },
    };
    this.#pairs.add(pair);
    down.on('data', (chunk) => toServer.send(chunk));
    up.on('data', (chunk) => {
      if (this.#dropped) {
        this.#dropped(clock());
        this.#dropped = null;
        down.resetAndDestroy();
        up.destroy();
      } else {
        toClient.send(chunk);
      }
    });
    const end = () => {
      this.#pairs.delete(pair);
      down.destroy();
      up.destroy();
    };
    for (const socket of [down, up]) socket.on('error', end).on('close', end);
  }

  /** One direction of one connection. All chunks go through one queue: none overtakes another, whatever the faults do. */
  #lane(to) {
    const queue = [];
    let timer;
    const drain = () => {
      clearTimeout(timer);
      while (!this.#silent && queue.length > 0) {
        const left = queue[0].due - clock();
        if (left > 0) {
          timer = setTimeout(drain, Math.ceil(left));
          return;
        }
        const { chunk } = queue.shift();
        if (!to.destroyed) to.write(chunk);
      }
    };
    const send = (chunk) => {
      queue.push({ chunk, due: clock() + this.#delayMs });
      drain();
    };
    return { send, drain };
  }
}
