/** The three scripts. Each compares and acts in one step; KEYS[1] is the user's key, ARGV[1] the token. */
import { createHash } from 'node:crypto';
import type { RedisAdapter } from './clients/adapter.js';

export interface Script {
  text: string;
  sha: string;
}

const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/** 1: taken, or already ours because a lost reply made the client send it again. 0: held by somebody else. */
export const ACQUIRE = script(`
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
if redis.call('get', KEYS[1]) == ARGV[1] then return 1 end
return 0`);

/** 1: released. 0: somebody else's. -1: there is no lock. */
export const RELEASE = script(`
local held = redis.call('get', KEYS[1])
if held == ARGV[1] then
  redis.call('del', KEYS[1])
  return 1
end
if held then return 0 end
return -1`);

/** 1: extended, never shortened. 0: somebody else's. -1: there is no lock, and none is made. */
export const RENEW = script(`
local held = redis.call('get', KEYS[1])
if held == ARGV[1] then
  local left = redis.call('pttl', KEYS[1])
  if left >= 0 and left < tonumber(ARGV[2]) then redis.call('pexpire', KEYS[1], ARGV[2]) end
  return 1
end
if held then return 0 end
return -1`);

/** The client was closed, or never connected: nothing was sent. */
export class ClientClosed extends Error {
  constructor(library: string) {
    super(`the ${library} client is not open (was it closed, or not connected yet?)`);
  }
}

const NOT_LOADED = /NOSCRIPT|NoScriptError/;

/**
 * Runs a script by its hash, and by its text on a server that does not know it: after a restart, a fail-over, SCRIPT FLUSH,
 * or when Redis 7.4 and later has evicted it.
 */
export async function run(
  redis: RedisAdapter,
  { text, sha }: Script,
  key: string,
  args: string[],
): Promise<number> {
  if (redis.isClosed()) throw new ClientClosed(redis.library);
  try {
    return Number(await redis.evalSha(sha, [key], args));
  } catch (error) {
    if (!(error instanceof Error) || !NOT_LOADED.test(error.message)) throw error;
    return Number(await redis.eval(text, [key], args));
  }
}
