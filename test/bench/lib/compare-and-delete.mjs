import { createHash } from 'node:crypto';

export const COMPARE_AND_DELETE = `
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`;

export const SHA = createHash('sha1').update(COMPARE_AND_DELETE).digest('hex');

export const notLoaded = (error) => String(error?.message).startsWith('NOSCRIPT');
