import { expect, it } from 'vitest';
import { pathOf, rootOf } from '../../extension/src/server/folders.js';

it('finds the innermost folder that holds a file', () => {
  const folders = ['/home/dev', '/home/dev/shop/api', '/home/dev/shop', '/home/dev/shop/api-old'];
  expect(rootOf('/home/dev/shop/api/src/stock.ts', folders)).toBe('/home/dev/shop/api');
  expect(rootOf('/home/dev/shop/stock.ts', folders)).toBe('/home/dev/shop');
});

it('answers the root of the file system for a file outside of all folders', () => {
  expect(rootOf('/tmp/stock.ts', ['/home/dev'])).toBe('/');
  expect(rootOf('/home/developer/stock.ts', ['/home/dev'])).toBe('/');
  expect(rootOf('/tmp/stock.ts', [])).toBe('/');
});

it('knows the path of what is on disk alone', () => {
  expect(pathOf('file:///home/dev/a%20b.ts')).toBe('/home/dev/a b.ts');
  expect(pathOf('untitled:Untitled-1')).toBeUndefined();
});
