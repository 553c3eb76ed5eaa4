/**
 * The scripts. Each compares and acts in one step; KEYS[1] is the user's key, ARGV[1] the token. KEYS[2], where there is one,
 * is its companion: a hash of the last `fence` and the last `released` token.
 */
import { createHash } from 'node:crypto';
import type { RedisAdapter } from './clients/adapter.js';

export interface Script {
  text: string;
  sha: string;
}

const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/**
 * 0: held by somebody else. Else taken, or already ours because a lost reply made the client send it again: 1, or with a
 * companion the fence as a string, which is the larger of the last one plus one and the server's clock in microseconds, so it
 * also rises when the companion is lost. ARGV[2]: the TTL. ARGV[3]: how long to remember the fence.
 */
export const ACQUIRE = script(`
local last = KEYS[2] and redis.call('hget', KEYS[2], 'fence')
if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
  if KEYS[2] then return last end
  return 1
end
if not KEYS[2] then return 1 end
local time = redis.call('time')
local fence = time[1] * 1000000 + time[2]
if last and tonumber(last) >= fence then fence = tonumber(last) + 1 end
fence = string.format('%.0f', fence)
redis.call('hset', KEYS[2], 'fence', fence)
redis.call('pexpire', KEYS[2], ARGV[3])
return fence`);

/**
 * 1: released; with a companion also when a lost reply made the client send it again. 0: somebody else's. -1: there is no
 * lock.
 */
export const RELEASE = script(`
local held = redis.call('get', KEYS[1])
if held == ARGV[1] then
  redis.call('del', KEYS[1])
  if KEYS[2] then redis.call('hset', KEYS[2], 'released', ARGV[1]) end
  return 1
end
if KEYS[2] and redis.call('hget', KEYS[2], 'released') == ARGV[1] then return 1 end
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
  keys: string[],
  args: string[],
): Promise<number> {
  if (redis.isClosed()) throw new ClientClosed(redis.library);
  const reply = await redis.evalSha(sha, keys, args).catch((error: unknown) => {
    if (!(error instanceof Error) || !NOT_LOADED.test(error.message)) throw error;
    return redis.eval(text, keys, args);
  });
  return Number(reply);
}
