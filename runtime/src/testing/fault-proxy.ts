/** A TCP proxy before a Redis server that does on demand what networks do by themselves. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy before a server; see {@link startFaultProxy}. */
export interface FaultProxy {
  /** What a client connects to instead of the server. */
  url: string;
  host: string;
  port: number;
  /** Cuts every connection at once; what is under way is lost. New ones are let through. */
  cut(): void;
  /**
   * Loses the next bytes that the server sends and cuts their connection: the command has run, and its caller does not know.
   *
   * @returns resolves when it has happened
   */
  dropReply(): Promise<void>;
  /** Each reply arrives this much later, in milliseconds; 0 ends it. */
  delayReplies(ms: number): void;
  /** Keeps what clients send until {@link FaultProxy.flow}. */
  holdRequests(): void;
  /** Keeps what the server answers until {@link FaultProxy.flow}. */
  holdReplies(): void;
  /** Keeps both, as a network that is gone without a word. */
  silence(): void;
  /** Passes on what was kept, in its order, and keeps nothing any more. */
  flow(): void;
  /** Cuts every connection and closes the port. */
  stop(): Promise<void>;
}

/** One direction of all connections: how late its bytes are, and whether they are kept. */
class Direction {
  delayMs = 0;
  #gate: { opened: Promise<void>; open: () => void } | null = null;

  close(): void {
    if (this.#gate) return;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { opened, open };
  }

  open(): void {
    this.#gate?.open();
    this.#gate = null;
  }

  /** Resolves when bytes that came at `cameAt` may go on. */
  async passes(cameAt: number): Promise<void> {
    const leftMs = cameAt + this.delayMs - performance.now();
    if (leftMs > 0) await sleep(leftMs);
    while (this.#gate) await this.#gate.opened;
  }
}

/** Passes on what one socket receives to the other, in order; its end as well. */
function join(from: Socket, to: Socket, direction: Direction, receives: (data: Buffer) => boolean): void {
  let before = Promise.resolve();
  const next = (act: () => void): void => {
    const cameAt = performance.now();
    before = before.then(() => direction.passes(cameAt)).then(act);
  };
  from.on('data', (data) => {
    if (!receives(data)) return;
    next(() => {
      if (to.writable) to.write(data);
    });
  });
  from.on('close', () => {
    // What was sent before still arrives.
    next(() => to.end());
  });
  // The close after it tells the other side.
  from.on('error', () => undefined);
}

/**
 * Starts a proxy on a free port of 127.0.0.1 that lets everything through until it is told otherwise.
 *
 * @param target where the server listens, such as what `startRedisServer` returns
 */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const requests = new Direction();
  const replies = new Direction();
  const pairs = new Set<() => void>();
  let dropped: (() => void) | null = null;

  const proxy = createServer((client) => {
    const server = connect(target.port, target.host);
    const cutPair = (): void => {
      client.destroy();
      server.destroy();
    };
    pairs.add(cutPair);
    server.once('close', () => pairs.delete(cutPair));
    join(client, server, requests, () => true);
    join(server, client, replies, () => {
      if (!dropped) return true;
      cutPair();
      dropped();
      dropped = null;
      return false;
    });
  });
  await new Promise<void>((resolve, reject) => {
    proxy.once('error', reject);
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const { port } = proxy.address() as { port: number };
  const cut = (): void => {
    for (const cutPair of pairs) cutPair();
  };
  const flow = (): void => {
    requests.open();
    replies.open();
  };
  return {
    url: `redis://127.0.0.1:${String(port)}`,
    host: '127.0.0.1',
    port,
    cut,
    dropReply: () =>
      new Promise((resolve) => {
        dropped = resolve;
      }),
    delayReplies: (ms) => {
      replies.delayMs = ms;
    },
    holdRequests: () => {
      requests.close();
    },
    holdReplies: () => {
      replies.close();
    },
    silence: () => {
      requests.close();
      replies.close();
    },
    flow,
    stop: () =>
      new Promise((resolve) => {
        cut();
        flow();
        proxy.close(() => {
          resolve();
        });
      }),
  };
}
