/** The limit on ioredis: SET NX PX under a random token, and the compare-and-delete script by its hash. No waiting, no renewal. */
import { randomBytes } from 'node:crypto';
import { COMPARE_AND_DELETE, SHA, notLoaded } from '../lib/compare-and-delete.mjs';

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
  async release(redis, { key, token }) {
    try {
      return await redis.evalsha(SHA, 1, key, token);
    } catch (error) {
      if (!notLoaded(error)) throw error;
      return redis.eval(COMPARE_AND_DELETE, 1, key, token);
    }
  },
};
