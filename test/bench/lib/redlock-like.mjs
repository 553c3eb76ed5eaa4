/** redlock 5 and its fork are called alike. A lock is renewed a third of its TTL before its end, at most half a second. */
const LONGEST_THRESHOLD_MS = 500;

const retries = (wait) => {
  if (wait === 'once') return { retryCount: 0 };
  if (!wait.total) return {};
  return {
    retryCount: Math.ceil(wait.total / wait.delay),
    retryDelay: wait.delay,
    retryJitter: wait.delay / 2,
  };
};

export const redlockLike = (name, packageName, Redlock) => ({
  name,
  client: 'ioredis5',
  package: packageName,
  key: (key) => key,
  make: (redis, { wait }) => {
    const redlock = new Redlock([redis]);
    redlock.on('error', () => undefined);
    return { redlock, settings: retries(wait) };
  },
  acquire: ({ redlock, settings }, key, ttlMs) => redlock.acquire([key], ttlMs, settings),
  release: ({ redlock }, lock) => redlock.release(lock),
  extend: ({ redlock }, lock, ttlMs) => redlock.extend(lock, ttlMs),
  using: ({ redlock }, key, ttlMs, work) => {
    const automaticExtensionThreshold = Math.min(LONGEST_THRESHOLD_MS, Math.floor(ttlMs / 3));
    return redlock.using([key], ttlMs, { automaticExtensionThreshold }, (signal) => work({ signal }));
  },
});
