/** Correct releases in the spellings that real code uses: each must be seen to compare the owner. */
import { expect, it } from 'vitest';
import { isCompareAndDelete, judgeScript } from '../../../eslint-plugin/dist/lua/verdict.js';
import { summary, type ScriptCase } from './support.js';

const DEL = ['DEL KEYS[1] compared'];

const RELEASES: ScriptCase[] = [
  {
    name: 'one line',
    lua: `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'UNLINK',
    lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('UNLINK', KEYS[1]) end return 0`,
    role: 'release',
    effects: ['UNLINK KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'operands the other way round',
    lua: `if ARGV[1] == redis.call('get', KEYS[1]) then return redis.call('del', KEYS[1]) end return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'locals and an early return',
    lua: `
      local key, token = KEYS[1], ARGV[1]
      local holder = redis.call('GET', key)
      if holder ~= token then
        return 0
      end
      redis.call('DEL', key)
      return 1`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'a negation',
    lua: `
      if not (redis.call('get', KEYS[1]) == ARGV[1]) then return 0 end
      return redis.call('del', KEYS[1])`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'missing or foreign: one early return',
    lua: `
      local v = redis.call('get', KEYS[1])
      if not v or v ~= ARGV[1] then return 0 end
      return redis.call('del', KEYS[1])`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'nested ifs',
    lua: `
      local v = redis.call('get', KEYS[1])
      if v then
        if v == ARGV[1] then
          return redis.call('del', KEYS[1])
        end
      end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'three answers with elseif',
    lua: `
      local v = redis.call('get', KEYS[1])
      if v == false then return -1
      elseif v == ARGV[1] then redis.call('del', KEYS[1]) return 1
      else return 0 end`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'and/or in place of if',
    lua: `return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'the test kept in a variable',
    lua: `
      local mine = redis.call('get', KEYS[1]) == ARGV[1]
      if mine then redis.call('del', KEYS[1]) end
      return mine and 1 or 0`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'a flag set under the test',
    lua: `
      local mine = false
      if redis.call('get', KEYS[1]) == ARGV[1] then mine = true end
      if not mine then return 0 end
      return redis.call('del', KEYS[1])`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a result variable',
    lua: `
      local value = redis.call('GET', KEYS[1]);
      local result = 0;
      if value == ARGV[1] then result = redis.call('DEL', KEYS[1]); end
      return result`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'an alias of redis.call',
    lua: `
      local rcall = redis.call
      if rcall("GET", KEYS[1]) == ARGV[1] then return rcall("DEL", KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'an alias of redis, pcall, call without parentheses',
    lua: `
      local r = redis
      r.log(r.LOG_NOTICE, 'release')
      r.call 'PING'
      if r.pcall('get', KEYS[1]) == ARGV[1] then return r['pcall']('del', KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: "Valkey's server.call",
    lua: `if server.call('get', KEYS[1]) == ARGV[1] then return server.call('del', KEYS[1]) end return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'the token as a second key',
    lua: `if redis.call('get', KEYS[1]) == KEYS[2] then return redis.call('del', KEYS[1]) end return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'key and token filled in by JavaScript',
    lua: `if redis.call('get', '__js_0__') == __js_1__ then return redis.call('del', '__js_0__') end return 0`,
    role: 'release',
    effects: ['DEL built compared'],
  },
  {
    name: 'a name line of a function library',
    lua: `#!lua name=locks
      if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a function of a library',
    lua: `#!lua name=locks
      local function release(keys, args)
        if redis.call('GET', keys[1]) == args[1] then return redis.call('DEL', keys[1]) end
        return 0
      end
      redis.register_function('release', release)`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'a field of a hash',
    lua: `
      if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
      return redis.call('DEL', KEYS[1])`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'several fields of a hash',
    lua: `
      local fields = redis.call('HMGET', KEYS[1], 'owner', 'since')
      if fields[1] == ARGV[1] then return redis.call('DEL', KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a field of JSON',
    lua: `
      local raw = redis.call('GET', KEYS[1])
      if not raw then return 0 end
      local lock = cjson.decode(raw)
      if lock.owner ~= ARGV[1] then return 0 end
      redis.call('DEL', KEYS[1])
      return 1`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'JSON under pcall',
    lua: `
      local raw = redis.call('GET', KEYS[1])
      if not raw then return 0 end
      local ok, lock = pcall(cjson.decode, raw)
      if not ok or lock['owner'] ~= ARGV[1] then return 0 end
      return redis.call('DEL', KEYS[1])`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'texts on both sides',
    lua: `
      if tostring(redis.call('get', KEYS[1])) == tostring(ARGV[1]) then return redis.call('del', KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a token put together from arguments',
    lua: `
      if redis.call('get', KEYS[1]) == ARGV[1] .. ':' .. ARGV[2] then return redis.call('del', KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a loop over KEYS',
    lua: `
      local n = 0
      for i, key in ipairs(KEYS) do
        if redis.call('get', key) == ARGV[1] then n = n + redis.pcall('del', key) end
      end
      return n`,
    role: 'release',
    effects: ['DEL KEYS[*] compared'],
  },
  {
    name: 'all keys checked, then all deleted',
    lua: `
      for i = 1, #KEYS do
        if redis.call('get', KEYS[i]) ~= ARGV[1] then return 0 end
      end
      return redis.call('del', unpack(KEYS))`,
    role: 'release',
    effects: ['DEL KEYS[*] compared'],
    answers: true,
  },
  {
    name: 'all values read at once',
    lua: `
      local values = redis.call('MGET', unpack(KEYS))
      for _, value in ipairs(values) do
        if value ~= ARGV[1] then return 0 end
      end
      for _, key in ipairs(KEYS) do redis.call('del', key) end
      return 1`,
    role: 'release',
    effects: ['DEL KEYS[*] compared'],
  },
  {
    name: 'a loop left by break',
    lua: `
      local all = true
      for _, key in ipairs(KEYS) do
        if redis.call('get', key) ~= ARGV[1] then
          all = false
          break
        end
      end
      if all then redis.call('del', unpack(KEYS)) end
      return all`,
    role: 'release',
    effects: ['DEL KEYS[*] compared'],
  },
  {
    name: 'a local helper that compares',
    lua: `
      local function isMine(key, token)
        return redis.call('get', key) == token
      end
      if isMine(KEYS[1], ARGV[1]) then return redis.call('del', KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a local helper that deletes',
    lua: `
      local function drop(key)
        redis.call('del', key)
        return 1
      end
      if redis.call('get', KEYS[1]) == ARGV[1] then return drop(KEYS[1]) end
      return 0`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'an error in place of an answer',
    lua: `
      if redis.call('get', KEYS[1]) ~= ARGV[1] then error('not yours') end
      redis.call('del', KEYS[1])
      return 1`,
    role: 'release',
    effects: DEL,
    answers: true,
  },
  {
    name: 'assert',
    lua: `
      assert(redis.call('get', KEYS[1]) == ARGV[1], 'not yours')
      return redis.call('del', KEYS[1])`,
    role: 'release',
    effects: DEL,
  },
  {
    name: 'a wake-up for waiters, and a second key',
    lua: `
      if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('del', KEYS[1], KEYS[2])
      redis.call('publish', KEYS[3], ARGV[1])
      return 1`,
    role: 'release',
    effects: ['DEL KEYS[1] compared', 'DEL KEYS[2] compared'],
    answers: true,
  },
  {
    name: 'a re-entrant lock in a hash: the count of the holder goes down',
    lua: `
      if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end
      if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then
        redis.call('pexpire', KEYS[1], ARGV[2])
        return 0
      end
      redis.call('del', KEYS[1])
      return 1`,
    role: 'release',
    effects: ['PEXPIRE KEYS[1] compared', 'DEL KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'DELEX with IFEQ',
    lua: `return redis.call('DELEX', KEYS[1], 'IFEQ', ARGV[1])`,
    role: 'release',
    effects: ['DELEX KEYS[1] compared'],
  },
  {
    name: 'a reply that is the same for both outcomes',
    lua: `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1`,
    role: 'release',
    effects: DEL,
    answers: false,
  },
  {
    name: 'no reply at all',
    lua: `local id = redis.call('GET', KEYS[1]);if id == ARGV[1] then redis.call('DEL', KEYS[1]) end`,
    role: 'release',
    effects: DEL,
    answers: false,
  },
];

it.each(RELEASES)('$name', ({ lua, role, effects, answers }) => {
  const found = summary(lua);
  expect(found).toEqual({ role, effects, answers: answers ?? found.answers });
  expect(isCompareAndDelete(judgeScript(lua))).toBe(true);
});
