/** Whatever text arrives, there is a verdict, and in time. */
import { describe, expect, it } from 'vitest';
import { judgeScript } from '../../../eslint-plugin/dist/lua/verdict.js';

const SEED = `
local rcall, key, token = redis.call, KEYS[1], ARGV[1]
local function holder(k) return rcall('GET', k) end
for i, k in ipairs(KEYS) do
  while holder(k) ~= token do break end
  repeat local n = rcall('INCR', k) until n > #KEYS or not n
end
local lock = { owner = token, [1] = -1, "x" .. key }
if holder(key) == token and lock.owner then return rcall('DEL', key) elseif ARGV[2] then rcall('SET', key, token, 'NX') end
return __js_0__ or (function(...) return select('#', ...) end)(1, 2)
`;
const PARTS = SEED.split(/\b/);
const WORDS = PARTS.filter((part) => /^\w/.test(part));

/** A small generator of its own, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function mutated(seed: number): string {
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const parts = [...PARTS];
  for (let i = 0; i < 1 + (seed % 4); i += 1) {
    const at = Math.floor(next() * parts.length);
    const change = next();
    if (change < 0.6) parts[parts.indexOf(pick(WORDS))] = pick(WORDS);
    else if (change < 0.75) parts.splice(at, 1);
    else if (change < 0.9) parts.splice(at, 0, pick(PARTS));
    else parts[at] = String.fromCharCode(Math.floor(next() * 0x1_0000));
  }
  return parts.join('');
}

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

describe('any text', () => {
  it('300 mutations of a script', () => {
    const verdicts = Array.from({ length: 300 }, (_, seed) => judgeScript(mutated(seed + 1)));
    const parsed = verdicts.filter((verdict) => verdict.parsed).length;
    // Neither only nonsense nor only valid scripts.
    expect(parsed).toBeGreaterThan(30);
    expect(parsed).toBeLessThan(270);
  });

  it.each([
    ['nothing but noise', '\0\uD800 ]]=]--[[ \\ "'],
    ['an open long string', '[==[ redis.call'],
    ['deep parentheses', `${'('.repeat(20_000)}1`],
    ['a long sum', `x = ${'a + '.repeat(20_000)}a`],
    ['a long concatenation', `x = ${'a .. '.repeat(20_000)}a`],
    ['a long list', `x = {${'1,'.repeat(100_000)}}`],
    ['deep blocks', `${'do '.repeat(500)}redis.call('DEL', KEYS[1])${' end'.repeat(500)}`],
    ['deep loops', `${'for i = 1, 2 do x = 1 '.repeat(150)}redis.call('DEL', KEYS[1])${' end'.repeat(150)}`],
    ['a function that calls itself', `local function f() f() f() redis.call('DEL', KEYS[1]) end f()`],
    [
      'functions that call each other',
      `local g local function f() g() g() end g = function() f() f() end f()`,
    ],
    [
      'a chain of functions',
      lines(500, (i) => `local function f${String(i)}() ${`f${String(i - 1)}() `.repeat(3)} end`),
    ],
  ])('%s', (_, text) => {
    expect(judgeScript(text)).toHaveProperty('parsed');
  });
});

it('does not look into what is nested too deeply, and says nothing about it', () => {
  const lua = `${'do '.repeat(500)}redis.call('DEL', KEYS[1])${' end'.repeat(500)}`;
  expect(judgeScript(lua)).toMatchObject({ parsed: true, effects: [] });
});

it('a script of 5,000 lines', () => {
  const lua = lines(1_000, (i) => {
    const key = `KEYS[${String(i + 1)}]`;
    return `local v${String(i)} = redis.call('GET', ${key})
if v${String(i)} == ARGV[1] then
  redis.call('DEL', ${key})
end
if unknown(${String(i)}) then x = ${String(i)} end`;
  });
  const verdict = judgeScript(lua);
  expect(lua.split('\n')).toHaveLength(5_000);
  expect(verdict.effects).toHaveLength(1_000);
  expect(verdict.effects.every((effect) => effect.guard === 'compared')).toBe(true);
});
