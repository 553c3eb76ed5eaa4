import { expect, it } from 'vitest';
import { stringValue, type lua } from '../../../eslint-plugin/dist/lua/ast.js';
import { parseLua } from '../../../eslint-plugin/dist/lua/parse.js';

function literal(text: string): string {
  const parse = parseLua(`return ${text}`);
  if (!parse.ok) throw new Error(parse.message);
  const [statement] = parse.chunk.body as [lua.ReturnStatement];
  return stringValue(statement.arguments[0] as lua.StringLiteral);
}

it.each([
  [`'plain'`, 'plain'],
  [`"double"`, 'double'],
  [String.raw`'a\nb\t\\ \'\"'`, 'a\nb\t\\ \'"'],
  [String.raw`'\65\066\0'`, 'AB\0'],
  [String.raw`'\q'`, 'q'],
  ["'a\\\nb'", 'a\nb'],
  ['[[long]]', 'long'],
  ['[==[\nfirst line break is dropped ]] ]==]', 'first line break is dropped ]] '],
  [`'héllo 你好'`, 'héllo 你好'],
])('the string %s', (text, value) => {
  expect(literal(text)).toBe(value);
});

it('keeps comments and skips the name line', () => {
  const parse = parseLua('#!lua name=locks\n-- eslint-disable-next-line rule -- why\nreturn 1 --[[ block ]]');
  expect(parse.ok && parse.comments.map((comment) => comment.value)).toEqual([
    ' eslint-disable-next-line rule -- why',
    ' block ',
  ]);
});

it.each([
  ['if x then', 9, /expected near '<eof>'/],
  ["return 'open", 12, /unfinished string/],
  ['x = = 1', 4, /<expression> expected near '='/],
])('says what is wrong with %s, and where', (text, offset, message) => {
  const parse = parseLua(text);
  expect(parse).toMatchObject({ ok: false, offset });
  expect(!parse.ok && parse.message).toMatch(message);
});

it('refuses what is nested too deeply', () => {
  expect(parseLua('('.repeat(50_000))).toEqual({ ok: false, message: 'nested too deeply', offset: 0 });
});
