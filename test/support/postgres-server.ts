/** Starts a PostgreSQL server of one's own: a data directory in a temporary folder, and a Unix socket in it instead of a port. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../../scripts/setup/postgres.mjs';
import { until } from './until.js';

export interface PostgresServer {
  /** What a Pool or Client of pg takes to connect. */
  readonly address: { host: string; user: string; database: string };
  /** A pool that is ended before the server is. */
  openPool(max: number): pg.Pool;
  stop(): Promise<void>;
}

/** Nothing has to outlive a test: no flush waits for the disk. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=80'];
const USER = 'lockproof';

export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('no postgres and initdb on this machine: run `npm run setup`');
  const folder = mkdtempSync(join(tmpdir(), 'lockproof-pg-'));
  const data = join(folder, 'data');
  const owner = ownerOf(folder);
  const options = { ...owner, cwd: folder };
  execFileSync(
    join(programs, 'initdb'),
    ['--no-sync', '--auth=trust', '--encoding=UTF8', '--no-locale', `--username=${USER}`, `--pgdata=${data}`],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-k', folder, '-h', '', ...SETTINGS.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  // The server must not outlive a test process that is ended.
  const endWithUs = (): void => void child.kill('SIGQUIT');
  process.once('exit', endWithUs);

  const address = { host: folder, user: USER, database: 'postgres' };
  const pools: pg.Pool[] = [];
  const openPool = (max: number): pg.Pool => {
    const pool = new pg.Pool({ ...address, max });
    // The pool's end does not wait for its connections to end, and the server then ends them itself.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(pools.map((pool) => pool.end()));
    process.off('exit', endWithUs);
    if (child.exitCode === null) child.kill('SIGINT'); // a fast shutdown: open connections are ended
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('PostgreSQL answers', async () => {
      if (child.exitCode !== null) throw new Error(`postgres did not start: ${output}`);
      return answers(address);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, openPool, stop };
}

/** PostgreSQL refuses to run as root: it then runs as the user that its package made, or nobody. */
function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = idsOf('postgres') ?? [65534, 65534];
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o755);
  return { uid, gid };
}

function idsOf(user: string): [number, number] | null {
  try {
    const id = (flag: string): number => Number(execFileSync('id', [flag, user], { stdio: 'pipe' }));
    return [id('-u'), id('-g')];
  } catch {
    return null;
  }
}

async function answers(address: PostgresServer['address']): Promise<boolean> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
