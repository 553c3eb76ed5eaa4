/** The limit on ioredis: SET NX PX under a random token, and the compare-and-delete script by its hash. No waiting, no renewal. */
import { randomBytes } from 'node:crypto';
import { compareAndDelete } from '../lib/compare-and-delete.mjs';

export default {
  name: 'raw ioredis',
  client: 'ioredis5',
  key: (key) => key,
  make: (redis) => redis,
  async acquire(redis, key, ttlMs) {
    const token = randomBytes(16).toString('hex');
    const reply = await redis.set(key, token, 'PX', ttlMs, 'NX');
    return reply === 'OK' ? { key, token } : null;
  },
  release: (redis, { key, token }) =>
    compareAndDelete(
      (sha) => redis.evalsha(sha, 1, key, token),
      (text) => redis.eval(text, 1, key, token),
    ),
};
