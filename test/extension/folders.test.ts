import { expect, it } from 'vitest';
import { pathOf, rootOf } from '../../extension/src/server/folders.js';

it('finds the innermost folder that holds a file', () => {
  const folders = ['/work', '/work/shop/api', '/work/shop', '/work/shop/api-old'];
  expect(rootOf('/work/shop/api/src/stock.ts', folders)).toBe('/work/shop/api');
  expect(rootOf('/work/shop/stock.ts', folders)).toBe('/work/shop');
});

it('answers the root of the file system for a file outside of all folders', () => {
  expect(rootOf('/tmp/stock.ts', ['/work'])).toBe('/');
  expect(rootOf('/workshop/stock.ts', ['/work'])).toBe('/');
  expect(rootOf('/tmp/stock.ts', [])).toBe('/');
});

it('knows the path of what is on disk alone', () => {
  expect(pathOf('file:///work/a%20b.ts')).toBe('/work/a b.ts');
  expect(pathOf('untitled:Untitled-1')).toBeUndefined();
});
