/** Correct renewals in the spellings that real code uses: each must be seen to compare the owner. */
import { expect, it } from 'vitest';
import { isCompareAndExtend, judgeScript } from '../../../eslint-plugin/dist/lua/verdict.js';
import { summary, type ScriptCase } from './support.js';

const RENEWALS: ScriptCase[] = [
  {
    name: 'PEXPIRE',
    lua: `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`,
    role: 'renew',
    effects: ['PEXPIRE KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'EXPIRE after an early return',
    lua: `
      if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('expire', KEYS[1], tonumber(ARGV[2]))
      return 1`,
    role: 'renew',
    effects: ['EXPIRE KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'SET of the same token with a new TTL',
    lua: `
      if redis.call('get', KEYS[1]) == ARGV[1] then
        return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
      end
      return false`,
    role: 'renew',
    effects: ['SET KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'SET with IFEQ',
    lua: `return redis.call('SET', KEYS[1], ARGV[1], 'IFEQ', ARGV[1], 'PX', ARGV[2])`,
    role: 'renew',
    effects: ['SET KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'a longer TTL only',
    lua: `
      if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
      local ttl = redis.call("ttl", KEYS[1])
      if ttl > 0 then return redis.call("expire", KEYS[1], ttl + ARGV[2]) else return 0 end`,
    role: 'renew',
    effects: ['EXPIRE KEYS[1] compared'],
    answers: true,
  },
  {
    name: 'all keys or none',
    lua: `
      for i, key in ipairs(KEYS) do
        if redis.call('get', key) ~= ARGV[1] then return 0 end
      end
      for i, key in ipairs(KEYS) do
        redis.call('set', key, ARGV[1], 'PX', ARGV[2])
      end
      return #KEYS`,
    role: 'renew',
    effects: ['SET KEYS[*] compared'],
  },
];

it.each(RENEWALS)('$name', ({ lua, role, effects, answers }) => {
  const found = summary(lua);
  expect(found).toEqual({ role, effects, answers: answers ?? found.answers });
  expect(isCompareAndExtend(judgeScript(lua))).toBe(true);
});
