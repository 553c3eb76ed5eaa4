/** What the pages of the runtime show is so, in both languages. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { startRedisServer } from 'lockproof/testing';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { inChinese, isChinese, readPages, root, shapeOf, type Page } from './pages/page.js';
import { typeErrors } from './pages/types.js';

const pages = readPages();
const fileOf = (file: string): Page => {
  const page = pages.find((each) => each.file === file);
  if (!page) throw new Error(`there is no ${file}`);
  return page;
};

/** Generated from docstrings, which are English. */
const ENGLISH_ONLY = ['runtime/docs/api.md'];

const blocksIn = (...languages: string[]): Page['blocks'] =>
  pages
    .filter(({ file }) => !ENGLISH_ONLY.includes(file))
    .flatMap(({ blocks }) => blocks)
    .filter(({ language }) => languages.includes(language));

describe('code', () => {
  const typed = typeErrors(blocksIn('ts'));

  test.each([...typed].map(([{ name }, errors]) => ({ name, errors })))(
    '$name fits the types of the package',
    ({ errors }) => {
      expect(errors).toEqual([]);
    },
  );

  test.each(blocksIn('js'))('$name parses', ({ code }) => {
    const { diagnostics = [] } = ts.transpileModule(code, {
      reportDiagnostics: true,
      compilerOptions: { allowJs: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  });
});

const english = pages.filter((page) => !isChinese(page) && !ENGLISH_ONLY.includes(page.file));

test.each(english)('$file has the same headings, code and links in Chinese', (page) => {
  expect(shapeOf(fileOf(inChinese(page.file)))).toEqual(shapeOf(page));
});

test.each(pages)('every link to a file leads to one, and to a heading in it: $file', ({ file, links }) => {
  const leadsNowhere = (link: string): boolean => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) return true;
    const page = pages.find((each) => each.file === target);
    return anchor !== undefined && page?.anchors.has(decodeURIComponent(anchor)) === false;
  };
  expect(links).not.toEqual([]);
  expect(links.filter(leadsNowhere)).toEqual([]);
});

test.each(['runtime/README.md', 'runtime/README.zh-CN.md'])(
  'the first example of %s runs on a real Redis',
  async (file) => {
    const [example] = fileOf(file).blocks.filter(({ language }) => language === 'ts');
    const server = await startRedisServer();
    const redis = new Redis(server.url);
    // Below the workspace, so that packages resolve as in a user's project.
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
    const folder = mkdtempSync(join(root, 'node_modules/.cache/pages-'));
    try {
      const { outputText } = ts.transpileModule(example?.code ?? '', {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      const script = join(folder, 'example.mjs');
      writeFileSync(script, outputText.replace('new Redis()', `new Redis(${JSON.stringify(server.url)})`));
      const run = async (): Promise<string> =>
        (await promisify(execFile)(process.execPath, [script], { timeout: 15_000 })).stdout;
      expect([await run(), await run()]).toEqual(['items: 1\n', 'items: 2\n']);
      expect(await redis.keys('*')).toEqual(['cart:7']);
    } finally {
      redis.disconnect();
      rmSync(folder, { recursive: true, force: true });
      await server.stop();
    }
  },
);
