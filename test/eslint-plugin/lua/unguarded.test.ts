/** Scripts that delete or extend with no ownership check on some path, and nothing in them that might be one. */
import { describe, expect, it } from 'vitest';
import { isCompareAndDelete, judgeScript } from '../../../eslint-plugin/dist/lua/verdict.js';
import { summary, type ScriptCase } from './support.js';

const BLIND = ['DEL KEYS[1] unguarded'];

const UNGUARDED: ScriptCase[] = [
  { name: 'DEL alone', lua: `return redis.call('DEL', KEYS[1])`, role: 'other', effects: BLIND },
  {
    name: 'PEXPIRE alone',
    lua: `return redis.call('PEXPIRE', KEYS[1], ARGV[1])`,
    role: 'other',
    effects: ['PEXPIRE KEYS[1] unguarded'],
  },
  {
    name: 'SET XX: whoever has it',
    lua: `return redis.call('SET', KEYS[1], ARGV[1], 'XX', 'PX', ARGV[2])`,
    role: 'other',
    effects: ['SET KEYS[1] unguarded'],
  },
  {
    name: 'existence is no ownership (GET)',
    lua: `if redis.call('GET', KEYS[1]) then return redis.call('DEL', KEYS[1]) end return 0`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'existence is no ownership (EXISTS)',
    lua: `
      if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
      redis.call('DEL', KEYS[1])
      return 1`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'existence is no ownership (~= nil)',
    lua: `
      local holder = redis.call('GET', KEYS[1])
      if holder ~= nil and holder ~= false then redis.call('DEL', KEYS[1]) end`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'two arguments compared with each other',
    lua: `if ARGV[1] == ARGV[2] then return redis.call('DEL', KEYS[1]) end return 0`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'a sub-command is no ownership check',
    lua: `
      local call = redis.call
      if ARGV[1] == 'lock' then return call('SET', KEYS[1], ARGV[2], 'NX', 'PX', 5000) end
      if ARGV[1] == 'unlock' then return call('DEL', KEYS[1]) end`,
    role: 'acquire',
    effects: BLIND,
  },
  {
    name: 'a sub-command dispatched to a function',
    lua: `
      local function lock() return redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', 5000) end
      local function unlock() return redis.call('DEL', KEYS[1]) end
      if ARGV[1] == 'lock' then return lock() else return unlock() end`,
    role: 'acquire',
    effects: BLIND,
  },
  {
    name: 'compared, but the result is not used',
    lua: `
      local mine = redis.call('GET', KEYS[1]) == ARGV[1]
      redis.call('DEL', KEYS[1])
      return mine`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'compared, but the path goes on',
    lua: `
      local answer = 0
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then answer = -1 end
      redis.call('DEL', KEYS[1])
      return answer`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'compared on one of two paths',
    lua: `
      if ARGV[2] == 'force' or redis.call('GET', KEYS[1]) == ARGV[1] then
        return redis.call('DEL', KEYS[1])
      end
      return 0`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'the wrong branch deletes',
    lua: `
      if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 else redis.call('DEL', KEYS[1]) return 0 end`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'the renewal compares, the release does not',
    lua: `
      if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end
      redis.call('DEL', KEYS[1])
      return 0`,
    role: 'renew',
    effects: ['PEXPIRE KEYS[1] compared', 'DEL KEYS[1] unguarded'],
  },
  {
    name: 'a condition that both of its outcomes pass',
    lua: `
      if redis.call('PTTL', KEYS[1]) > 100 then redis.log(redis.LOG_NOTICE, 'early') end
      return redis.call('DEL', KEYS[1])`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'a helper called with a check and without one',
    lua: `
      local function drop() redis.call('DEL', KEYS[1]) end
      if redis.call('GET', KEYS[1]) == ARGV[1] then drop() return 1 end
      drop()
      return 0`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'all locks of an owner, whoever has them by now',
    lua: `
      local names = redis.call('SMEMBERS', KEYS[1])
      for _, name in ipairs(names) do
        local key = 'lock:' .. name
        if redis.call('EXISTS', key) == 1 then redis.call('DEL', key) end
      end
      redis.call('DEL', KEYS[1])
      return #names`,
    role: 'other',
    effects: ['DEL built unguarded', 'DEL KEYS[1] unknown'],
  },
  {
    name: 'a function of a library',
    lua: `#!lua name=locks
      redis.register_function('release', function(keys) return redis.call('DEL', keys[1]) end)`,
    role: 'other',
    effects: BLIND,
  },
  {
    name: 'all keys of a pattern',
    lua: `for _, key in ipairs(redis.call('KEYS', 'lock:*')) do redis.call('DEL', key) end`,
    role: 'other',
    effects: ['DEL built unguarded'],
  },
  {
    name: 'a key filled in by JavaScript',
    lua: `return redis.call('DEL', 'lock:__js_0__')`,
    role: 'other',
    effects: ['DEL built unguarded'],
  },
  {
    name: 'an argument tested for being there',
    lua: `if ARGV[1] and ARGV[1] ~= '' then redis.call('DEL', KEYS[1]) end return 1`,
    role: 'other',
    effects: BLIND,
  },
];

describe('an unguarded script', () => {
  it.each(UNGUARDED)('$name', ({ lua, role, effects }) => {
    expect(summary(lua)).toMatchObject({ role, effects });
    expect(isCompareAndDelete(judgeScript(lua))).toBe(false);
  });

  it('tells where the call stands', () => {
    const lua = `-- é, ü\r\nlocal k = KEYS[1]\r\nreturn redis.call ( 'DEL' , k )\r\n`;
    const [effect] = judgeScript(lua).effects;
    expect(lua.slice(...(effect?.range ?? []))).toBe(`redis.call ( 'DEL' , k )`);
  });

  it('tells which acquisition it found', () => {
    const lua = `local ok = redis.call('setnx', KEYS[2], ARGV[1])\nreturn ok`;
    expect(judgeScript(lua).acquisitions).toEqual([
      { command: 'SETNX', key: { kind: 'KEYS', index: 2 }, range: [11, 48] },
    ]);
  });

  it('tells what a key is made of', () => {
    const keys = (lua: string): unknown[] => judgeScript(lua).effects.map((effect) => effect.key);
    expect(keys(`redis.call('DEL', 'lock:' .. ARGV[1])`)).toEqual([
      { kind: 'built', text: `'lock:'..ARGV[1]` },
    ]);
    expect(keys(`redis.call('DEL', 'lock:__js_0__')`)).toEqual([{ kind: 'built', text: `'lock:__js_0__'` }]);
    expect(keys(`for _, k in ipairs(KEYS) do redis.call('DEL', k) end`)).toEqual([
      { kind: 'KEYS', index: null },
    ]);
    expect(keys(`redis.call('DEL', someGlobal)`)).toEqual([{ kind: 'unknown' }]);
  });
});
