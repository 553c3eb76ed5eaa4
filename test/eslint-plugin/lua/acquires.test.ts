/** Scripts that take a lock, alone or beside other sub-commands. */
import { describe, expect, it } from 'vitest';
import {
  isAcquire,
  isCompareAndDelete,
  isCompareAndExtend,
  judgeScript,
} from '../../../eslint-plugin/dist/lua/verdict.js';
import { summary, type ScriptCase } from './support.js';

const ACQUIRES: ScriptCase[] = [
  {
    name: 'SET NX PX',
    lua: `return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])`,
    role: 'acquire',
    effects: [],
    answers: true,
  },
  {
    name: 'SETNX, then a TTL for the winner',
    lua: `
      if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
        redis.call('pexpire', KEYS[1], ARGV[2])
        return 1
      end
      return 0`,
    role: 'acquire',
    effects: ['PEXPIRE KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'SETNX, the loser leaves early',
    lua: `
      local won = redis.call('setnx', KEYS[1], ARGV[1])
      if won == 0 then return 0 end
      redis.call('expire', KEYS[1], ARGV[2])
      return won`,
    role: 'acquire',
    effects: ['EXPIRE KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'SETNX, then a TTL for everybody',
    lua: `
      local ok = redis.call('SETNX', KEYS[1], ARGV[1])
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return ok`,
    role: 'acquire',
    effects: ['PEXPIRE KEYS[1] unguarded'],
    answers: true,
  },
  {
    name: 'SETNX tested for truth: 0 is true in Lua',
    lua: `
      if redis.call('SETNX', KEYS[1], ARGV[1]) then
        redis.call('EXPIRE', KEYS[1], ARGV[2])
        return 1
      end
      return 0`,
    role: 'acquire',
    effects: ['EXPIRE KEYS[1] unguarded'],
  },
  {
    name: 'a TTL for everybody when the acquire failed',
    lua: `
      if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      return 0`,
    role: 'acquire',
    effects: ['PEXPIRE KEYS[1] unguarded'],
    answers: true,
  },
  {
    name: 'a missing key, then SET',
    lua: `
      if redis.call('exists', KEYS[1]) == 1 then return 0 end
      redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
      return 1`,
    role: 'acquire',
    effects: [],
    answers: true,
  },
  {
    name: 're-entrant: nobody has it, or the caller',
    lua: `
      local holder = redis.call('get', KEYS[1])
      if not holder or holder == ARGV[1] then
        redis.call('psetex', KEYS[1], ARGV[2], ARGV[1])
        return 1
      end
      return 0`,
    role: 'acquire',
    effects: [],
    answers: true,
  },
  {
    name: 're-entrant: SET NX, else a longer TTL for the holder',
    lua: `
      if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
      if redis.call('get', KEYS[1]) == ARGV[1] then
        redis.call('pexpire', KEYS[1], ARGV[2])
        return 2
      end
      return 0`,
    role: 'acquire',
    effects: ['PEXPIRE KEYS[1] compared'],
    answers: true,
  },
  {
    name: 're-entrant in a hash',
    lua: `
      if redis.call('exists', KEYS[1]) == 0 then
        redis.call('hincrby', KEYS[1], ARGV[2], 1)
        redis.call('pexpire', KEYS[1], ARGV[1])
        return nil
      end
      if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
        redis.call('hincrby', KEYS[1], ARGV[2], 1)
        redis.call('pexpire', KEYS[1], ARGV[1])
        return nil
      end
      return redis.call('pttl', KEYS[1])`,
    role: 'acquire',
    effects: ['PEXPIRE KEYS[1] compared', 'PEXPIRE KEYS[1] compared'],
  },
  {
    name: 'arguments gathered in a table',
    lua: `
      local args = {KEYS[1], ARGV[1], 'NX'}
      if tonumber(ARGV[2]) > 0 then
        table.insert(args, 'PX')
        args[#args + 1] = ARGV[2]
      end
      return redis.call('SET', unpack(args))`,
    role: 'acquire',
    effects: [],
    answers: true,
  },
  {
    name: 'many keys: none is taken',
    lua: `
      for _, key in ipairs(KEYS) do
        if redis.call('exists', key) == 1 then return 0 end
      end
      for _, key in ipairs(KEYS) do
        redis.call('set', key, ARGV[1], 'PX', ARGV[2])
      end
      return 1`,
    role: 'acquire',
    effects: [],
    answers: true,
  },
  {
    name: 'an entry whose stored deadline has passed is replaced',
    lua: `
      local raw = redis.call('get', KEYS[1])
      if raw and tonumber(cjson.decode(raw).expires) < tonumber(ARGV[2]) then
        redis.call('del', KEYS[1])
      end
      return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[3])`,
    role: 'acquire',
    effects: ['DEL KEYS[1] unknown'],
  },
];

const SEVERAL: ScriptCase[] = [
  {
    name: 'sub-commands in one script',
    lua: `
      if ARGV[1] == 'lock' then
        return redis.call('set', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3])
      elseif ARGV[1] == 'unlock' then
        if redis.call('get', KEYS[1]) == ARGV[2] then return redis.call('del', KEYS[1]) end
        return 0
      elseif ARGV[1] == 'extend' then
        if redis.call('get', KEYS[1]) == ARGV[2] then return redis.call('pexpire', KEYS[1], ARGV[3]) end
        return 0
      end`,
    role: 'several',
    effects: ['DEL KEYS[1] compared', 'PEXPIRE KEYS[1] compared'],
  },
  {
    name: 'sub-commands in functions that see the key',
    lua: `
      local key = KEYS[1]
      local function lock(token, ttl) return redis.call('set', key, token, 'NX', 'PX', ttl) end
      local function unlock(token)
        if redis.call('get', key) == token then
          redis.call('del', key)
          return true
        end
        return false
      end
      if ARGV[1] == 'lock' then return lock(ARGV[2], ARGV[3]) end
      if ARGV[1] == 'unlock' then return unlock(ARGV[2]) end`,
    role: 'several',
    effects: ['DEL KEYS[1] compared'],
  },
];

describe.each([
  ['a script that takes a lock', ACQUIRES],
  ['a script with sub-commands', SEVERAL],
])('%s', (_, cases) => {
  it.each(cases)('$name', ({ lua, role, effects, answers }) => {
    const found = summary(lua);
    expect(found).toEqual({ role, effects, answers: answers ?? found.answers });
    const verdict = judgeScript(lua);
    expect(verdict.acquires).toBe(true);
    expect(verdict.acquisitions.length).toBeGreaterThan(0);
    expect(isAcquire(verdict)).toBe(role === 'acquire');
    expect(isCompareAndDelete(verdict) || isCompareAndExtend(verdict)).toBe(false);
  });
});
