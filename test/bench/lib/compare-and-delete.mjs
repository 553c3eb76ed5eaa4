import { createHash } from 'node:crypto';

const COMPARE_AND_DELETE = `
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`;

const SHA = createHash('sha1').update(COMPARE_AND_DELETE).digest('hex');

const notLoaded = (error) => String(error?.message).startsWith('NOSCRIPT');

/** Runs the script by its hash, and by its text on a server that does not know it. */
export async function compareAndDelete(bySha, byText) {
  try {
    return await bySha(SHA);
  } catch (error) {
    if (!notLoaded(error)) throw error;
    return byText(COMPARE_AND_DELETE);
  }
}
