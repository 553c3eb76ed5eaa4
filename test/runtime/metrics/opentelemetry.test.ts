/** Locks on a real Redis, seen by the real SDK of OpenTelemetry. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Redis } from 'ioredis';
import { createLocks } from 'lockproof';
import * as opentelemetry from 'lockproof/opentelemetry';
import { startRedisServer, type RedisServer } from 'lockproof/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** As the SDK for Node.js does it: the context follows the asynchronous calls. */
class ContextOfCalls implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    fn: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => Reflect.apply(fn, self, args));
  }
  bind<T>(_active: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

let server: RedisServer;
let redis: Redis;
const spanExporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] });
const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
const meterProvider = new MeterProvider({ readers: [reader] });

async function metric(name: string): Promise<MetricData | undefined> {
  await reader.forceFlush();
  const [latest] = metricExporter.getMetrics().slice(-1);
  return latest?.scopeMetrics
    .flatMap((scope) => scope.metrics)
    .find(({ descriptor }) => descriptor.name === name);
}

/** The points of a counter: value by attributes. */
async function counts(name: string): Promise<[unknown, unknown][]> {
  return (await metric(name))?.dataPoints.map(({ attributes, value }) => [attributes, value]) ?? [];
}

beforeAll(async () => {
  server = await startRedisServer();
  redis = new Redis(server.url);
  context.setGlobalContextManager(new ContextOfCalls());
});
afterAll(async () => {
  context.disable();
  redis.disconnect();
  await Promise.all([server.stop(), meterProvider.shutdown(), tracerProvider.shutdown()]);
});

describe('what happened to locks', () => {
  beforeAll(async () => {
    const nameOf = (key: string): string => key.split(':')[0] ?? '';
    const end = opentelemetry.observeLocks({ meterProvider, tracerProvider, nameOf });
    const locks = createLocks(redis, { ttlMs: 10_000 });
    const tracer = tracerProvider.getTracer('test');
    const request = tracer.startSpan('request');
    await context.with(trace.setSpan(context.active(), request), async () => {
      await locks.withLock('order:1', async (lease) => {
        expect(await lease.renew()).toBe(true);
        expect(await locks.tryAcquire('order:1')).toBeNull();
      });
      const lease = await locks.acquire('cart:1');
      await redis.del('cart:1');
      await lease.release();
    });
    request.end();
    await locks.close();
    await expect(locks.acquire('order:2')).rejects.toThrow(/closed/);
    end();
    await expect(locks.acquire('order:3')).rejects.toThrow(/closed/);
  });

  test('is counted, until it was ended', async () => {
    expect(await counts('lockproof.acquisitions')).toEqual([
      [{ 'lockproof.lock': 'order', 'lockproof.outcome': 'acquired' }, 1],
      [{ 'lockproof.lock': 'order', 'lockproof.outcome': 'busy' }, 1],
      [{ 'lockproof.lock': 'cart', 'lockproof.outcome': 'acquired' }, 1],
      [{ 'lockproof.lock': 'order', 'lockproof.outcome': 'failed', 'error.type': 'LOCKPROOF_CLOSED' }, 1],
    ]);
    expect(await counts('lockproof.renewals')).toEqual([
      [{ 'lockproof.lock': 'order', 'lockproof.outcome': 'renewed' }, 1],
    ]);
    expect(await counts('lockproof.releases')).toEqual([
      [{ 'lockproof.lock': 'order', 'lockproof.outcome': 'released', 'lockproof.late': false }, 1],
      [{ 'lockproof.lock': 'cart', 'lockproof.outcome': 'absent', 'lockproof.late': false }, 1],
    ]);
    expect(await counts('lockproof.losses')).toEqual([
      [{ 'lockproof.lock': 'cart', 'lockproof.reason': 'expired', 'lockproof.found_at': 'release' }, 1],
    ]);
  });

  test.each([
    ['wait', 4],
    ['hold', 2],
    ['work', 1],
    ['round_trip', 3],
  ])('lockproof.%s.duration is a histogram in seconds', async (name, count) => {
    const data = await metric(`lockproof.${name}.duration`);
    expect(data?.descriptor.unit).toBe('s');
    expect(data?.dataPointType).toBe(DataPointType.HISTOGRAM);
    const points = (data?.dataPoints ?? []).map(({ value }) => value as Histogram);
    expect(points.reduce((sum, each) => sum + each.count, 0)).toBe(count);
    expect(points[0]?.buckets.boundaries).toContain(0.0005);
    // In milliseconds the sum would be thousands of times as much as the test took.
    expect(points.reduce((sum, each) => sum + (each.sum ?? 0), 0)).toBeLessThan(performance.now() / 1_000);
  });

  test('is drawn as spans below the span of the caller, and a loss stands in it', () => {
    const spans = spanExporter.getFinishedSpans();
    const request = spans.find(({ name }) => name === 'request');
    const ours = spans.filter(({ name }) => name !== 'request');
    expect(ours.map(({ name, attributes }) => [name, attributes['lockproof.outcome']])).toEqual([
      ['lockproof.acquire', 'acquired'],
      ['lockproof.acquire', 'busy'],
      ['lockproof.work', undefined],
      ['lockproof.acquire', 'acquired'],
      ['lockproof.acquire', 'failed'],
    ]);
    for (const each of ours.slice(0, 4)) {
      expect(each.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    }
    expect(ours[4]?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'LOCKPROOF_CLOSED' });
    expect(request?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'lockproof.lost',
        { 'lockproof.lock': 'cart', 'lockproof.reason': 'expired', 'lockproof.found_at': 'release' },
      ],
    ]);
  });

  test('never shows a key', async () => {
    await reader.forceFlush();
    const seen = JSON.stringify([
      metricExporter.getMetrics().map(({ scopeMetrics }) => scopeMetrics),
      spanExporter.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events]),
    ]);
    expect(seen).toContain('order');
    expect(seen).not.toContain('order:1');
  });
});

test('a nameOf that throws costs the name, not the process', async () => {
  const before = spanExporter.getFinishedSpans().length;
  const end = opentelemetry.observeLocks({
    meterProvider,
    tracerProvider,
    nameOf: () => {
      throw new Error('no name');
    },
  });
  const lease = await createLocks(redis, { ttlMs: 5_000 }).acquire('nameless');
  await lease.release();
  end();
  const [span] = spanExporter.getFinishedSpans().slice(before);
  expect(span?.attributes).toEqual({ 'lockproof.outcome': 'acquired', 'lockproof.attempts': 1 });
});

test('refuses a nameOf that is no function', () => {
  expect(() => opentelemetry.observeLocks({ nameOf: 'order' as never })).toThrow(/nameOf must be a function/);
});

test('does nothing without an SDK, and is there for CommonJS, too', async () => {
  const { observeLocks } = createRequire(import.meta.url)('lockproof/opentelemetry') as typeof opentelemetry;
  const end = observeLocks();
  const lease = await createLocks(redis, { ttlMs: 5_000 }).acquire('no-sdk');
  expect(await lease.release()).toEqual({ released: true });
  end();
});
