/** The same limit on node-redis. */
import { randomBytes } from 'node:crypto';
import { compareAndDelete } from '../lib/compare-and-delete.mjs';

export default {
  name: 'raw node-redis',
  client: 'redis5',
  key: (key) => key,
  make: (redis) => redis,
  async acquire(redis, key, ttlMs) {
    const token = randomBytes(16).toString('hex');
    const reply = await redis.set(key, token, { PX: ttlMs, NX: true });
    return reply === 'OK' ? { key, token } : null;
  },
  release(redis, { key, token }) {
    const call = { keys: [key], arguments: [token] };
    return compareAndDelete(
      (sha) => redis.evalSha(sha, call),
      (text) => redis.eval(text, call),
    );
  },
};
