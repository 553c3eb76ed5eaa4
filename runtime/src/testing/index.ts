/** Timelines: what a lock must survive, replayed against anybody's lock functions. */
export { drawTimeline, type DrawOptions } from './draw.js';
export { startFaultProxy, type FaultProxy } from './fault-proxy.js';
export { InMemoryRedis, type InMemoryRedisOptions } from './memory/index.js';
export { VirtualClock } from './memory/virtual-clock.js';
export {
  proveLock,
  type LockFunctions,
  type ProofOptions,
  type ProofReport,
  type TimelineProof,
} from './prove.js';
export {
  NoRedisServerError,
  startRedisServer,
  type RedisServer,
  type RedisServerOptions,
} from './redis-server.js';
export {
  fromSection,
  runTimeline,
  type LockUnderTest,
  type ObservedStep,
  type Observer,
  type RunOptions,
  type Section,
  type TimelineReport,
} from './run.js';
export { foundingTimeline, timelines, type Actor, type Step, type Timeline } from './timelines.js';
