/** The packed runtime in users' projects: CommonJS under NestJS, ES modules, and every Node version that it supports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisServer, type RedisServer } from 'lockproof/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { install, pack, run, writeProject } from './support.js';

let folder: string;
let tarball: string;
let server: RedisServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockproof-runtime-'));
  [tarball, server] = await Promise.all([pack('runtime', folder), startRedisServer()]);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program of a project against our server: it must end by itself. */
async function start(path: string, file: string, node = process.execPath): Promise<unknown> {
  const { stdout } = await run(node, [file], {
    cwd: path,
    env: { ...process.env, REDIS_URL: server.url },
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

/** What every program prints: the lock was held, refused to another, and given back. */
const HELD_AND_GIVEN_BACK = { held: true, other: null, outcome: { released: true }, left: 0 };

const CYCLE = `
  const redis = new Redis(process.env.REDIS_URL);
  const lease = await acquireLease(redis, key, { ttlMs: 5_000 });
  const { held } = lease;
  const other = await tryAcquireLease(redis, key, { ttlMs: 5_000 });
  const outcome = await releaseLease(lease);
  const left = await redis.exists(key);
  redis.disconnect();
  console.log(JSON.stringify({ held, other, outcome, left, node: process.version }));
`;
const ESM = `
import { Redis } from 'ioredis';
import { acquireLease, releaseLease, tryAcquireLease } from 'lockproof';
const key = 'order:lock:esm';
${CYCLE}`;
const COMMONJS = `
const { Redis } = require('ioredis');
const { acquireLease, releaseLease, tryAcquireLease } = require('lockproof');
async function main() {
  const key = 'order:lock:commonjs';
${CYCLE}}
main();
`;

const NEST = `
import 'reflect-metadata';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { createLocks, type LockLease } from 'lockproof';

@Injectable()
class Connection extends Redis implements OnModuleDestroy {
  constructor() {
    super(process.env.REDIS_URL ?? '');
  }
  onModuleDestroy(): void {
    this.disconnect();
  }
}

@Injectable()
class Orders {
  private readonly locks;
  constructor(private readonly redis: Connection) {
    this.locks = createLocks(redis, { ttlMs: 5_000 });
  }
  async pay(id: string): Promise<unknown> {
    const key = \`order:lock:\${id}\`;
    const lease: LockLease = await this.locks.acquire(key);
    const { held } = lease;
    const other = await this.locks.tryAcquire(key);
    const outcome = await lease.release();
    return { held, other, outcome, left: await this.redis.exists(key) };
  }
}

@Module({ providers: [Connection, Orders] })
class App {}

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  console.log(JSON.stringify(await app.get(Orders).pay('10086')));
  await app.close();
}
void main();
`;
const NEST_CONFIG = JSON.stringify({
  compilerOptions: {
    module: 'commonjs',
    target: 'ES2022',
    lib: ['ES2022'],
    types: ['node'],
    outDir: 'dist',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
  },
  include: ['src'],
});

test('a CommonJS project under NestJS, compiled by tsc', async () => {
  const path = join(folder, 'nest');
  writeProject(path, 'commonjs', { 'src/main.ts': NEST, 'tsconfig.json': NEST_CONFIG });
  await install(path, [
    '@nestjs/common@11',
    '@nestjs/core@11',
    'reflect-metadata@0.2',
    'rxjs@7',
    'ioredis@5',
    'typescript@5.9',
    '@types/node@20',
    tarball,
  ]);
  await run(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: path });
  expect(await start(path, 'dist/main.js')).toEqual(HELD_AND_GIVEN_BACK);
});

describe.each(['20.19', '22', '24'])('on Node %s', (version) => {
  test('ES modules and CommonJS take a lock and give it back', async () => {
    const path = join(folder, `node-${version}`);
    writeProject(path, 'module', { 'esm.js': ESM, 'commonjs.cjs': COMMONJS });
    await install(path, ['ioredis@5', `node@${version}`, tarball]);
    const node = join(path, 'node_modules/node/bin/node');
    for (const file of ['esm.js', 'commonjs.cjs']) {
      expect(await start(path, file, node)).toEqual({
        ...HELD_AND_GIVEN_BACK,
        node: expect.stringMatching(new RegExp(`^v${version}\\.`)) as string,
      });
    }
  });
});
