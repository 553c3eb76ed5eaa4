/** Which `.lua` files are surely wrong scripts of a lock, and which only look like one. */
import { describe, expect, test } from 'vitest';
import { findingsInFile } from '../../../eslint-plugin/dist/lua-language/findings.js';

interface Case {
  name: string;
  file: string;
  lua: string;
  /** `line COMMAND`. */
  found: string[];
}

const LOCKS: Case[] = [
  {
    name: 'a release that deletes whatever is there',
    file: 'unlock.lua',
    lua: "return redis.call('DEL', KEYS[1])",
    found: ['1 DEL'],
  },
  {
    name: 'the folder speaks of locks',
    file: 'locks/release.lua',
    lua: "return redis.call('UNLINK', KEYS[1])",
    found: ['1 UNLINK'],
  },
  {
    name: 'a folder of Windows',
    file: 'C:\\app\\locks\\release.lua',
    lua: "return redis.call('DEL', KEYS[1])",
    found: ['1 DEL'],
  },
  {
    name: 'a renewal by anybody',
    file: 'extend_lock.lua',
    lua: "return redis.call('PEXPIRE', KEYS[1], ARGV[1])",
    found: ['1 PEXPIRE'],
  },
  {
    name: 'a renewal after a look at whether it exists',
    file: 'renew-lease.lua',
    lua: "if redis.call('EXISTS', KEYS[1]) == 1 then\n  return redis.call('PEXPIRE', KEYS[1], ARGV[1])\nend\nreturn 0",
    found: ['2 PEXPIRE'],
  },
  {
    name: 'all the locks of a worker',
    file: 'release_locks.lua',
    lua: "for _, key in ipairs(KEYS) do\n  redis.call('DEL', key)\nend",
    found: ['2 DEL'],
  },
  {
    name: 'a local name for the key, which is not the first',
    file: 'release.lua',
    lua: "local queue = KEYS[1]\nlocal lockKey = KEYS[2]\nredis.call('LREM', queue, 1, ARGV[1])\nreturn redis.call('DEL', lockKey)",
    found: ['4 DEL'],
  },
  {
    name: 'a comment on the key, which is not the first',
    file: 'release.lua',
    lua: "-- KEYS[1]: result\n-- KEYS[2]: lock of the resource\nredis.call('DEL', KEYS[1])\nreturn redis.call('DEL', KEYS[2])",
    found: ['4 DEL'],
  },
  {
    name: 'a comment of several lines',
    file: 'release.lua',
    lua: "--[[\n  Input:\n    KEYS[1] 'lock'\n]]\nreturn redis.call('DEL', KEYS[1])",
    found: ['5 DEL'],
  },
  {
    name: 'the loser extends the winner',
    file: 'acquire.lua',
    lua: "local ok = redis.call('SETNX', KEYS[1], ARGV[1])\nredis.call('PEXPIRE', KEYS[1], ARGV[2])\nreturn ok",
    found: ['2 PEXPIRE'],
  },
  {
    name: 'the loser extends the winner, told by a local name',
    file: 'reserve.lua',
    lua: "local lock = KEYS[1]\nlocal ok = redis.call('SET', lock, ARGV[1], 'NX')\nredis.call('EXPIRE', lock, 8)\nreturn ok",
    found: ['3 EXPIRE'],
  },
  {
    name: 'the loser deletes the lock of the winner',
    file: 'with-lock.lua',
    lua: "local ok = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 8000)\nif ok then redis.call('INCR', KEYS[2]) end\nredis.call('DEL', KEYS[1])",
    found: ['3 DEL'],
  },
  {
    name: 'a key with a lock word, built in the script',
    file: 'cleanup.lua',
    lua: "return redis.call('DEL', 'lock:' .. ARGV[1])",
    found: ['1 DEL'],
  },
  {
    name: 'a lock built from another key, in a release',
    file: 'unlock.lua',
    lua: "return redis.call('DEL', KEYS[1] .. ':lock')",
    found: ['1 DEL'],
  },
  {
    name: 'the key among the arguments',
    file: 'unlock.lua',
    lua: "return redis.call('DEL', ARGV[1])",
    found: ['1 DEL'],
  },
  {
    name: 'a local name in a protected call',
    file: 'release.lua',
    lua: "local lock = KEYS[3]\npcall(redis.call, 'DEL', KEYS[1], lock)",
    found: ['2 DEL'],
  },
  {
    name: 'each lock of a set, while the set is another key',
    file: 'release-all.lua',
    lua: "local names = redis.call('SMEMBERS', KEYS[1])\nfor _, name in ipairs(names) do\n  local key = 'lock:{job}:' .. name\n  redis.call('DEL', key)\nend\nredis.call('DEL', KEYS[1])",
    found: ['4 DEL'],
  },
];

const OTHERS: Omit<Case, 'found'>[] = [
  {
    name: 'compare and delete',
    file: 'unlock.lua',
    lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0",
  },
  {
    name: 'compare and extend with a built key',
    file: 'renew-lock.lua',
    lua: "local key = 'lock:' .. ARGV[2]\nif redis.call('GET', key) == ARGV[1] then return redis.call('PEXPIRE', key, ARGV[3]) end return 0",
  },
  { name: 'a cache', file: 'invalidate.lua', lua: "return redis.call('DEL', KEYS[1])" },
  { name: 'a release of something else', file: 'release.lua', lua: "return redis.call('DEL', KEYS[1])" },
  {
    name: 'a cache in a folder of locks',
    file: 'locks/stats.lua',
    lua: "return redis.call('DEL', KEYS[1])",
  },
  { name: 'a block, a clock', file: 'release-block.lua', lua: "return redis.call('DEL', KEYS[1])" },
  {
    name: 'another key of a release',
    file: 'unlock.lua',
    lua: "local waiters = KEYS[1]\nreturn redis.call('DEL', waiters)",
  },
  {
    name: 'the queue beside a lock that is compared',
    file: 'unlock.lua',
    lua: "local lock = KEYS[2]\nif redis.call('GET', lock) == ARGV[1] then redis.call('DEL', lock) end\nredis.call('DEL', KEYS[1])",
  },
  {
    name: 'the lock of a record goes with the record',
    file: 'obliterate.lua',
    lua: "for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do\n  redis.call('DEL', KEYS[2] .. id, KEYS[2] .. id .. ':lock')\nend",
  },
  {
    name: 'meant to take it from its holder',
    file: 'force-unlock.lua',
    lua: "return redis.call('DEL', KEYS[1])",
  },
  {
    name: 'a login is locked out',
    file: 'login-failed.lua',
    lua: "local attempts, lockKey = KEYS[1], KEYS[2]\nif redis.call('INCR', attempts) > 5 then redis.call('SET', lockKey, '1', 'EX', 900) end",
  },
  {
    name: 'a login is let in again',
    file: 'login-succeeded.lua',
    lua: "local attempts, lockKey = KEYS[1], KEYS[2]\nredis.call('DEL', attempts, lockKey)",
  },
  {
    name: 'a window for a rate',
    file: 'rate.lua',
    lua: "local n = redis.call('INCR', KEYS[1])\nif n == 1 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn n",
  },
  {
    name: 'a record that is made once and kept alive',
    file: 'session.lua',
    lua: "redis.call('SETNX', KEYS[1], ARGV[1])\nredis.call('EXPIRE', KEYS[1], 60)\nreturn redis.call('GET', KEYS[1])",
  },
  {
    name: 'a list that is emptied',
    file: 'release-locks.lua',
    lua: "local items = redis.call('LRANGE', KEYS[1], 0, -1)\nredis.call('DEL', KEYS[1])\nreturn items",
  },
  {
    name: 'taken and given back in one script',
    file: 'with-lock.lua',
    lua: "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 8000) then\n  redis.call('INCR', KEYS[2])\n  redis.call('DEL', KEYS[1])\nend",
  },
  {
    name: 'a reentrant lock',
    file: 'reentrant-unlock.lua',
    lua: "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end\nif redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then\n  redis.call('PEXPIRE', KEYS[1], ARGV[2])\n  return 0\nend\nreturn redis.call('DEL', KEYS[1])",
  },
  { name: 'no Lua', file: 'unlock.lua', lua: "return redis.call('DEL', KEYS[1]" },
  { name: 'nothing', file: 'unlock.lua', lua: '' },
];

function found({ lua, file }: Omit<Case, 'found'>): string[] {
  const lineOf = (offset: number): string => String(lua.slice(0, offset).split('\n').length);
  return findingsInFile(lua, file).map(({ range, command }) => `${lineOf(range[0])} ${command}`);
}

describe('surely wrong', () => {
  test.each(LOCKS)('$name', (wrong) => {
    expect(found(wrong)).toEqual(wrong.found);
  });
});

describe('silent', () => {
  test.each(OTHERS)('$name', (other) => {
    expect(found(other)).toEqual([]);
  });
});
