/** `.lua` files through ESLint itself: places, parse errors, comments that configure, odd texts. */
import { describe, expect, test } from 'vitest';
import { plugin } from '../plugin.js';
import { lintFile } from './lint-files.js';

const NAME = 'redis/release-lock.lua';
const RULE = 'lockproof/no-unguarded-script';
const DELETE = "redis.call('DEL', KEYS[1])";

describe('reports', () => {
  test('stand at the call, with the key and what happens to the lock', async () => {
    const { reports, messages } = await lintFile(NAME, `local n = 1\nreturn ${DELETE} + n\n`);
    expect(reports).toEqual(['2:8-2:34 unguardedScript']);
    expect(messages[0]).toMatchObject({ ruleId: RULE, severity: 2 });
    expect(messages[0]?.message).toMatch(/DEL on .?KEYS\[1\].* deletes the lock of B/);
  });

  test('stand over all lines of the call', async () => {
    const { reports } = await lintFile(NAME, "return redis.call(\n  'DEL',\n  KEYS[1]\n)");
    expect(reports).toEqual(['1:8-4:2 unguardedScript']);
  });

  test('tell a key that is built in the script', async () => {
    const { reports } = await lintFile('a.lua', "return redis.call('DEL', 'lock:' .. ARGV[1])");
    expect(reports).toEqual(['1:8-1:45 builtKey']);
  });

  test('count columns in UTF-16 units', async () => {
    const { reports } = await lintFile(NAME, `local s = '锁🔒' ${DELETE}`);
    expect(reports).toEqual(['1:17-1:43 unguardedScript']);
  });
});

describe('texts', () => {
  const FIRST = { reports: ['2:1-2:27 unguardedScript'] };

  test.each([
    ['CRLF', `local n = 1\r\n${DELETE}\r\n`],
    ['a lone CR', `local n = 1\r${DELETE}\r`],
    ['a comment before CRLF', `-- the end\r\n${DELETE}\r\n`],
    ['a byte order mark', `\ufefflocal n = 1\n${DELETE}\n`],
    ['a first line for Redis', `#!lua name=locks\n${DELETE}\n`],
    ['a first line for Redis after a byte order mark', `\ufeff#!lua name=locks\r\n${DELETE}`],
  ])('%s', async (_, text) => {
    expect(await lintFile(NAME, text)).toMatchObject(FIRST);
  });

  test('a byte order mark moves no column', async () => {
    expect(await lintFile(NAME, `\ufeff${DELETE}`)).toMatchObject({ reports: ['1:1-1:27 unguardedScript'] });
  });

  test.each([
    ['nothing', ''],
    ['a byte order mark alone', '\ufeff'],
    ['an empty line', '\n'],
    ['a comment alone', '-- nothing yet'],
    ['a first line for Redis alone', '#!lua name=locks'],
  ])('no report on %s', async (_, text) => {
    expect(await lintFile(NAME, text)).toMatchObject({ reports: [] });
  });

  test('a file of 20,000 lines', async () => {
    const text = `-- ${'x'.repeat(60)}\n`.repeat(20_000) + DELETE;
    expect(await lintFile(NAME, text)).toMatchObject({ reports: ['20001:1-20001:27 unguardedScript'] });
  });
});

describe('a text that is no Lua 5.1', () => {
  test.each([
    ['an open block', 'if true then\n  return 1', '2:11'],
    ['a word too many', `local n = 1\n  local local\n${DELETE}`, '2:9'],
    ['after CRLF', 'local n = 1\r\n  local local', '2:9'],
    ['an operator of Lua 5.3', 'return 7 // 2', '1:11'],
    ['an open string', "return 'abc", '1:12'],
    ['JavaScript', 'export const n = 1;', '1:8'],
  ])('%s', async (_, text, place) => {
    const { messages, reports } = await lintFile(NAME, text);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ fatal: true, ruleId: null, severity: 2 });
    expect(messages[0]?.message).toMatch(/^Parsing error: \S/);
    expect(reports[0]).toMatch(new RegExp(`^${place} `));
  });
});

describe('comments that switch the rule off', () => {
  test.each([
    ['for the next line', `-- eslint-disable-next-line ${RULE}\n${DELETE}`],
    [
      'for the next line, with a reason',
      `-- eslint-disable-next-line ${RULE} -- one worker alone\n${DELETE}`,
    ],
    ['for the next line, as a block', `--[[ eslint-disable-next-line ${RULE}\n-- why ]]\n${DELETE}`],
    ['for the next line, with CRLF', `-- eslint-disable-next-line ${RULE}\r\n${DELETE}\r\n`],
    ['for this line', `${DELETE} -- eslint-disable-line ${RULE} -- one worker alone`],
    ['for every rule', `-- eslint-disable\n${DELETE}`],
    ['from here', `--[==[ eslint-disable ${RULE} ]==]\n${DELETE}`],
    ['after the first line for Redis', `#!lua name=locks\n-- eslint-disable ${RULE}\n${DELETE}`],
    ['by a setting', `-- eslint ${RULE}: off\n${DELETE}`],
    ['by a setting below', `${DELETE}\n-- eslint ${RULE}: 0 -- one worker alone`],
    ['by a setting in quotes', `--[[ eslint "${RULE}": ["off"] ]]\n${DELETE}`],
  ])('%s', async (_, text) => {
    expect(await lintFile(NAME, text)).toMatchObject({ reports: [] });
  });

  test('until it is switched on', async () => {
    const text = `-- eslint-disable ${RULE}\n${DELETE}\n-- eslint-enable ${RULE}\n${DELETE}`;
    expect(await lintFile(NAME, text)).toMatchObject({ reports: ['4:1-4:27 unguardedScript'] });
  });

  test('no further than the next line', async () => {
    const text = `-- eslint-disable-next-line ${RULE}\n${DELETE}\n${DELETE}`;
    expect(await lintFile(NAME, text)).toMatchObject({ reports: ['3:1-3:27 unguardedScript'] });
  });

  test('not in a string', async () => {
    const text = `local s = '-- eslint-disable'\n${DELETE}`;
    expect(await lintFile(NAME, text)).toMatchObject({ reports: ['2:1-2:27 unguardedScript'] });
  });

  test('another severity', async () => {
    const { messages } = await lintFile(NAME, `-- eslint ${RULE}: warn\n${DELETE}`);
    expect(messages).toMatchObject([{ ruleId: RULE, severity: 1 }]);
  });

  test('a rule that does not exist is told at the comment', async () => {
    const { messages } = await lintFile(NAME, 'local n = 1\n  -- eslint-disable-line lockproof/no-such');
    expect(messages).toMatchObject([{ line: 2, column: 3, endLine: 2, endColumn: 43 }]);
    expect(messages[0]?.message).toMatch(/no-such/);
  });

  test('a setting that cannot be read is told at the comment', async () => {
    const { messages } = await lintFile(NAME, `-- eslint ${RULE}: [\n`);
    expect(messages).toMatchObject([{ fatal: true, line: 1, column: 1 }]);
  });
});

describe('options of ESLint', () => {
  test('what switches nothing off is found and removed', async () => {
    const options = { configs: [{ linterOptions: { reportUnusedDisableDirectives: 'error' as const } }] };
    const text = `local n = 1\n-- eslint-disable-next-line ${RULE} -- old\nreturn n\n`;
    const found = await lintFile(NAME, text, options);
    expect(found.messages).toMatchObject([{ line: 2, column: 1, ruleId: null }]);
    const fixed = await lintFile(NAME, text, { ...options, fix: true });
    expect(fixed).toMatchObject({ reports: [], text: 'local n = 1\n \nreturn n\n' });
  });

  test('settings in comments can be forbidden', async () => {
    const { messages } = await lintFile(NAME, `-- eslint ${RULE}: off\n${DELETE}`, {
      allowInlineConfig: false,
    });
    expect(messages.filter(({ ruleId }) => ruleId === RULE)).toHaveLength(1);
  });

  test('the rules for JavaScript say nothing on Lua', async () => {
    const configs = [plugin.configs.all];
    expect(await lintFile(NAME, DELETE, { configs })).toMatchObject({
      reports: ['1:1-1:27 unguardedScript'],
    });
  });
});
