import { Mutex } from 'redis-semaphore';

const retries = (wait) => {
  if (wait === 'once') return { acquireAttemptsLimit: 1 };
  return wait.total ? { acquireTimeout: wait.total, retryInterval: wait.delay } : {};
};

export default {
  name: 'redis-semaphore',
  client: 'ioredis5',
  package: 'redis-semaphore',
  key: (key) => `mutex:${key}`,
  make: (redis, { wait }) => ({ redis, settings: retries(wait) }),
  async acquire({ redis, settings }, key, ttlMs) {
    const mutex = new Mutex(redis, key, { lockTimeout: ttlMs, refreshInterval: 0, ...settings });
    await mutex.acquire();
    return mutex;
  },
  release: (_lib, mutex) => mutex.release(),
  async using({ redis, settings }, key, ttlMs, work) {
    const controller = new AbortController();
    const onLockLost = (error) => controller.abort(error);
    const mutex = new Mutex(redis, key, { lockTimeout: ttlMs, onLockLost, ...settings });
    await mutex.acquire();
    try {
      return await work({ signal: controller.signal });
    } finally {
      await mutex.release();
    }
  },
};
