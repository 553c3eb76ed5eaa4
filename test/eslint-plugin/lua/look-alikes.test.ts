/** Scripts that delete, extend or set, and are no locks; and checks that this analysis does not understand. */
import { describe, expect, it } from 'vitest';
import { summary, type ScriptCase } from './support.js';

const LOOK_ALIKES: ScriptCase[] = [
  {
    name: 'a fixed-window rate limiter',
    lua: `
      local hits = redis.call('INCR', KEYS[1])
      if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
      return { hits, redis.call('PTTL', KEYS[1]) }`,
    role: 'other',
    effects: ['PEXPIRE KEYS[1] unknown'],
  },
  {
    name: 'a sliding-window rate limiter',
    lua: `
      redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[1] - ARGV[2])
      if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
      redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return 1`,
    role: 'other',
    effects: ['PEXPIRE KEYS[1] unknown'],
  },
  {
    name: 'a token bucket',
    lua: `
      local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
      local tokens = tonumber(bucket[1]) or tonumber(ARGV[1])
      if tokens < 1 then return 0 end
      redis.call('HMSET', KEYS[1], 'tokens', tokens - 1, 'at', ARGV[2])
      redis.call('EXPIRE', KEYS[1], ARGV[3])
      return 1`,
    role: 'other',
    effects: ['EXPIRE KEYS[1] unknown'],
  },
  {
    name: 'a counter made when it is missing',
    lua: `
      local n = redis.call('GET', KEYS[1])
      if not n then
        redis.call('SET', KEYS[1], 1)
        redis.call('EXPIRE', KEYS[1], ARGV[1])
        return 1
      end
      return redis.call('INCR', KEYS[1])`,
    role: 'other',
    effects: ['SET KEYS[1] compared', 'EXPIRE KEYS[1] compared'],
  },
  {
    name: 'stock',
    lua: `
      local left = tonumber(redis.call('GET', KEYS[1]) or '0')
      if left < tonumber(ARGV[1]) then return -1 end
      left = redis.call('DECRBY', KEYS[1], ARGV[1])
      if left == 0 then redis.call('DEL', KEYS[1]) end
      return left`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'a one-time code: the same shape as a release, so JavaScript has to tell',
    lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) return 1 end return 0`,
    role: 'release',
    effects: ['DEL KEYS[1] compared'],
  },
  {
    name: 'a one-time record: read and removed',
    lua: `
      local value = redis.call('GET', KEYS[1])
      if value then redis.call('DEL', KEYS[1]) end
      return value`,
    role: 'other',
    effects: ['DEL KEYS[1] unguarded'],
  },
  {
    name: 'a watermark that only rises',
    lua: `
      local at = redis.call('GET', KEYS[1])
      if at and tonumber(at) >= tonumber(ARGV[1]) then return 0 end
      redis.call('SET', KEYS[1], ARGV[1])
      return 1`,
    role: 'other',
    effects: ['SET KEYS[1] unknown'],
  },
  {
    name: 'a cache that is filled when it is missing',
    lua: `
      if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SET', KEYS[1], ARGV[1]) end
      return redis.call('GET', KEYS[1])`,
    role: 'other',
    effects: [],
  },
  {
    name: 'a stream that is trimmed and kept alive',
    lua: `redis.call('XADD', KEYS[1], '*', 'm', ARGV[1]) redis.call('EXPIRE', KEYS[1], 60) return 1`,
    role: 'other',
    effects: ['EXPIRE KEYS[1] unknown'],
  },
  {
    name: 'a semaphore: the members of a sorted set are the holders',
    lua: `
      if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 and redis.call('ZCARD', KEYS[1]) == 0 then
        redis.call('DEL', KEYS[1])
      end
      return 1`,
    role: 'other',
    effects: ['DEL KEYS[1] compared'],
  },
  { name: 'no command at all', lua: `return 1`, role: 'other', effects: [] },
  { name: 'an empty script', lua: ``, role: 'other', effects: [] },
];

const NOT_UNDERSTOOD: ScriptCase[] = [
  {
    name: 'a function that is not to be seen',
    lua: `if isMine(KEYS[1], ARGV[1]) then return redis.call('DEL', KEYS[1]) end return 0`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'an early return after a check that is not to be seen',
    lua: `if not allowed() then return 0 end return redis.call('DEL', KEYS[1])`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'the token searched in the value',
    lua: `
      local v = redis.call('GET', KEYS[1])
      if v and string.find(v, ARGV[1], 1, true) == 1 then return redis.call('DEL', KEYS[1]) end
      return 0`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'two stored values',
    lua: `if redis.call('GET', KEYS[1]) == redis.call('GET', KEYS[2]) then redis.call('DEL', KEYS[1]) end`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'a state',
    lua: `if redis.call('HGET', KEYS[1], 'state') == 'done' then redis.call('DEL', KEYS[1]) end`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'a remaining TTL',
    lua: `if redis.call('TTL', KEYS[1]) == -1 then redis.call('EXPIRE', KEYS[1], 30) end`,
    role: 'other',
    effects: ['EXPIRE KEYS[1] unknown'],
  },
  {
    name: 'keys counted before they are deleted',
    lua: `
      local mine = 0
      for _, key in ipairs(KEYS) do
        if redis.call('GET', key) == ARGV[1] then mine = mine + 1 end
      end
      if mine < #KEYS then return 0 end
      return redis.call('DEL', unpack(KEYS))`,
    role: 'other',
    effects: ['DEL KEYS[*] unknown'],
  },
  {
    name: 'keys gathered before they are deleted',
    lua: `
      local mine = {}
      for _, key in ipairs(KEYS) do
        if redis.call('GET', key) == ARGV[1] then table.insert(mine, key) end
      end
      return redis.call('DEL', unpack(mine))`,
    role: 'other',
    effects: ['DEL unknown unknown'],
  },
  {
    name: 'a function that nothing calls here',
    lua: `
      local function drop(key) return redis.call('DEL', key) end
      redis.register_function({ function_name = 'drop', callback = function(keys) return drop(keys[1]) end })`,
    role: 'other',
    effects: ['DEL unknown unknown'],
  },
  {
    name: 'a table of functions',
    lua: `
      local commands = { unlock = function() return redis.call('DEL', KEYS[1]) end }
      return commands[ARGV[1]]()`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'a variable that a function changes',
    lua: `
      local mine = false
      local function check() mine = redis.call('GET', KEYS[1]) == ARGV[1] end
      check()
      if mine then redis.call('DEL', KEYS[1]) end`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'another key that is missing',
    lua: `if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('DEL', KEYS[1]) end`,
    role: 'other',
    effects: ['DEL KEYS[1] unknown'],
  },
  {
    name: 'options that are not to be seen',
    lua: `return redis.call('SET', KEYS[1], ARGV[1], ARGV[2], ARGV[3])`,
    role: 'other',
    effects: ['SET KEYS[1] unknown'],
  },
  {
    name: 'a TTL only where there is none',
    lua: `return redis.call('EXPIRE', KEYS[1], 60, 'NX')`,
    role: 'other',
    effects: ['EXPIRE KEYS[1] unknown'],
  },
  {
    name: 'another language',
    lua: `if (redis.get(key) === token) { del(key) }`,
    role: 'no Lua',
    effects: [],
  },
  { name: 'Lua 5.3', lua: `local n = 7 // 2 redis.call('DEL', KEYS[1])`, role: 'no Lua', effects: [] },
];

describe.each([
  ['a look-alike', LOOK_ALIKES],
  ['not understood, so never called unguarded', NOT_UNDERSTOOD],
])('%s', (_, cases) => {
  it.each(cases)('$name', ({ lua, role, effects }) => {
    expect(summary(lua)).toMatchObject({ role, effects });
  });
});
