/** What the engine does around any rule: places in the text, other people's comments, texts that do not parse. */
import { describe, expect, it } from 'vitest';
import { createLint } from '../../extension/src/server/engine.js';
import { standInConfig } from './support/stand-in-config.js';

const lint = createLint(standInConfig, { parserOptions: { ecmaFeatures: { jsx: true } } });
const lintProject = (text: string, path = 'src/stock.js') => lint(text, `/project/${path}`, '/project');

/** The parts of the text that are reported and the parts that fixes would replace. */
function marked(text: string, path?: string): string[] {
  return lintProject(text, path).flatMap(({ span, repairs }) =>
    [span, ...repairs.map((repair) => repair.span)].map(([start, end]) => text.slice(start, end)),
  );
}

describe('a finding', () => {
  it('carries rule, page, place, and its fix before its suggestions', () => {
    expect(lintProject('redis.del(key)')).toEqual([
      {
        rule: 'lockproof/no-del',
        severity: 'warning',
        message: 'a call of del',
        span: [6, 9],
        url: 'https://example.org/no-del',
        repairs: [
          { kind: 'fix', title: 'Repair this lock (lockproof/no-del)', span: [6, 9], text: 'unlink' },
          { kind: 'suggestion', title: 'Call unlink.', span: [6, 9], text: 'unlink' },
        ],
      },
    ]);
  });

  it.each([
    ['a byte order mark', '\uFEFFredis.del(key)'],
    ['a byte order mark on an earlier line', '\uFEFFconst key = 1;\nredis.del(key)'],
    ['Windows line ends', 'const key = 1;\r\n\r\nredis.del(key);\r\n'],
    ['line separators that only ECMAScript counts', 'const key = "\u2028";\u2029redis.del(key)'],
    ['characters of two code units', 'const key = "🔒🔒"; redis.del(key)'],
    ['a hashbang', '#!/usr/bin/env node\nredis.del(key)'],
    ['JSX', 'const button = <a onClick={() => redis.del(key)}>🔓</a>'],
  ])('stands at the right place after %s', (_, text) => {
    expect(marked(text)).toEqual(['del', 'del', 'del']);
  });
});

describe('nothing is said', () => {
  it.each([
    ['a text that does not parse', 'redis.del(key'],
    ['an empty text', ''],
    ['a byte order mark alone', '\uFEFF'],
    ['a comment that turns the rule off', 'redis.del(key) // eslint-disable-line lockproof/no-del'],
  ])('about %s', (_, text) => {
    expect(lintProject(text)).toEqual([]);
  });

  it('about rules of other plugins, in comments that turn them on or off', () => {
    const comments =
      '/* eslint no-console: error, lockproof/unknown: error */ // eslint-disable-line no-alert\n';
    expect(marked(`${comments}redis.del(key)`)).toEqual(['del', 'del', 'del']);
  });

  it('about installed packages, unless one of them is the project', () => {
    expect(lintProject('redis.del(key)', 'node_modules/x/index.js')).toEqual([]);
    expect(lint('redis.del(key)', '/node_modules/x/index.js', '/node_modules/x')).toHaveLength(1);
  });
});

describe('the kind of module', () => {
  it.each(['worker.cjs', 'worker.cts'])('is CommonJS in %s', (path) => {
    expect(marked('redis.del(key); return;', path)).toHaveLength(3);
  });

  it.each(['worker.js', 'worker.mjs', 'worker', '.worker.es6'])('is ECMAScript in %s', (path) => {
    expect(marked('import "x"; await redis.del(key);', path)).toHaveLength(3);
  });
});
