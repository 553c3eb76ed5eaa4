/** Lockproof without a fence, on ioredis. */
import { createLocks } from 'lockproof';

const LONGEST_WAIT_MS = 60_000;

const waitMsOf = (wait) => (wait === 'once' ? 0 : (wait.total ?? LONGEST_WAIT_MS));
const says = (outcome) => (outcome.released ? 'released' : outcome.reason);

export const lockproof = (name, client, options = {}) => ({
  name,
  client,
  package: 'lockproof',
  key: (key) => key,
  make: (redis, { wait }) => createLocks(redis, { ...options, waitMs: waitMsOf(wait) }),
  acquire: (locks, key, ttlMs) => locks.tryAcquire(key, { ttlMs }),
  release: (_locks, lease) => lease.release().then(says),
  extend: (_locks, lease, ttlMs) => lease.renew(ttlMs),
  using: (locks, key, ttlMs, work) => locks.withLock(key, { ttlMs }, work),
  close: (locks) => locks.close(),
});

export default lockproof('lockproof', 'ioredis5');
