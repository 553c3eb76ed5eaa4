/** Starts a Redis or Valkey server of one's own for tests and demonstrations. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RedisServer {
  url: string;
  host: string;
  port: number;
  pid: number;
  /** Ends this process and removes its folder. */
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  /** The program to start; by default `redis-server`, else `valkey-server`, as found on PATH. */
  binary?: string;
  /** Further arguments, such as `['--cluster-enabled', 'yes']`. */
  args?: readonly string[];
}

const HOST = '127.0.0.1';
const READY_MS = 10_000;

/** There is no server program to start. */
export class NoRedisServerError extends Error {
  readonly code = 'LOCKPROOF_NO_REDIS';

  constructor(tried: readonly string[]) {
    super(
      `no ${tried.join(' or ')} on PATH: install one (Debian and Ubuntu: apt-get install redis-server; macOS: brew install redis)`,
    );
    this.name = 'NoRedisServerError';
  }
}

/**
 * Starts a server on a free port of 127.0.0.1 that keeps nothing on disk, and waits until it answers.
 *
 * @throws NoRedisServerError when there is no program to start
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const programs = options.binary ? [options.binary] : ['redis-server', 'valkey-server'];
  for (const program of programs) {
    const server = await start(program, options.args ?? []);
    if (server) return server;
  }
  throw new NoRedisServerError(programs);
}

/** Null when the program does not exist. */
async function start(program: string, args: readonly string[]): Promise<RedisServer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'lockproof-redis-'));
  const port = await freePort();
  const fixed = ['--port', String(port), '--bind', HOST, '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn(program, [...fixed, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const exited = new Promise<NodeJS.ErrnoException | number | null>((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  // The server must not outlive a caller that forgets it.
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const stop = async (): Promise<void> => {
    process.off('exit', endWithUs);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const ended = await Promise.race([exited, answers(port, child)]);
  if (ended === 'ready')
    return { url: `redis://${HOST}:${String(port)}`, host: HOST, port, pid: child.pid ?? -1, stop };
  await stop();
  if (ended instanceof Error && ended.code === 'ENOENT') return null;
  throw new Error(
    `${program} did not start: ${ended instanceof Error ? ended.message : output.join('').trim()}`,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address) resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });
}

/** Resolves when the server answers PING. */
async function answers(port: number, child: ChildProcess): Promise<'ready'> {
  const end = performance.now() + READY_MS;
  while (performance.now() < end && child.exitCode === null) {
    if (await pings(port)) return 'ready';
    await sleep(20);
  }
  throw new Error(`the server did not answer on port ${String(port)} within ${String(READY_MS)} ms`);
}

function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('error', () => {
      done(false);
    });
    socket.once('data', (data) => {
      done(data.toString().startsWith('+PONG'));
    });
    socket.write('PING\r\n');
  });
}
