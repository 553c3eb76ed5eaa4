import { createLock, IoredisAdapter } from 'redlock-universal';

const retries = (wait) => {
  if (wait === 'once') return { retryAttempts: 0 };
  return wait.total ? { retryAttempts: Math.ceil(wait.total / wait.delay), retryDelay: wait.delay } : {};
};

const lockOf = ({ adapter, settings }, key, ttl) => createLock({ adapter, key, ttl, ...settings });

export default {
  name: 'redlock-universal',
  client: 'ioredis5',
  package: 'redlock-universal',
  key: (key) => key,
  make: (redis, { wait }) => ({ adapter: new IoredisAdapter(redis), settings: retries(wait) }),
  async acquire(lib, key, ttlMs) {
    const lock = lockOf(lib, key, ttlMs);
    return { lock, handle: await lock.acquire() };
  },
  release: (_lib, { lock, handle }) => lock.release(handle),
  extend: (_lib, { lock, handle }, ttlMs) => lock.extend(handle, ttlMs),
  using: (lib, key, ttlMs, work) => lockOf(lib, key, ttlMs).using((signal) => work({ signal })),
};
