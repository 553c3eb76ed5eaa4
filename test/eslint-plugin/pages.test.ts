/** What the pages of the rules show is so, in both languages: every block is linted, fixed, or has its suggestion applied. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './lint.js';
import { checkClaim, reportNamed } from './pages/claim.js';
import { FOLDER, pageFile, readPage } from './pages/page.js';
import { shapeOf } from './pages/shape.js';
import { plugin, ruleNamed } from './plugin.js';

const RULES = Object.keys(plugin.rules);
const LANGUAGES = ['en', 'zh'] as const;

const SECTIONS = {
  en: ['Why', 'Wrong', 'Right', 'Repair', 'Options', 'What is not reported', 'When not to use it'],
  zh: ['为什么', '错误写法', '正确写法', '修复', '选项', '不报告的情况', '何时不用'],
};

const pathsOf = (rule: string): string[] =>
  LANGUAGES.map((language) => join(FOLDER, pageFile(rule, language)));

test.each(RULES)('%s has a page in both languages', (rule) => {
  expect(pathsOf(rule).filter((path) => !existsSync(path))).toEqual([]);
});

const messageIdsOf = (rule: string): string[] => Object.keys(ruleNamed(rule).meta?.messages ?? {});

/** The reports of a rule; the texts of suggestions are those that every rule has. */
const reportsOf = (rule: string): string[] =>
  messageIdsOf(rule)
    .filter((id) => !RULES.every((other) => messageIdsOf(other).includes(id)))
    .map((id) => reportNamed(id, rule));

const optionsOf = (rule: string): string[] =>
  Object.keys((ruleNamed(rule).meta?.defaultOptions?.[0] ?? {}) as Record<string, unknown>);

for (const language of LANGUAGES) {
  const pages = RULES.map((rule) => readPage(rule, language)).filter((page) => page !== null);
  describe.each(pages)('$file', ({ rule, headings, blocks }) => {
    test('has the sections of every page', () => {
      expect(headings.filter((heading) => /^##? /.test(heading))).toEqual([
        `# \`lockproof/${rule}\``,
        ...SECTIONS[language].map((title) => `## ${title}`),
      ]);
    });

    test.each(blocks)('$name', (block) => {
      checkClaim(block, rule);
    });

    test('shows every report of the rule', () => {
      const shown = blocks
        .filter(({ kind }) => kind === 'wrong')
        .flatMap(({ claims }) => claims.map((claim) => reportNamed(claim, rule).split('@')[0]));
      expect(reportsOf(rule).filter((report) => !shown.includes(report))).toEqual([]);
    });

    test('sets every option of the rule', () => {
      const set = blocks.flatMap(({ options }) => Object.keys(options ?? {}));
      expect(optionsOf(rule).filter((option) => !set.includes(option))).toEqual([]);
    });
  });
}

const complete = RULES.filter((rule) => pathsOf(rule).every((path) => existsSync(path)));

test.each(complete)('%s: the same headings and the same code in both languages', (rule) => {
  const [english, chinese] = LANGUAGES.map((language) => readPage(rule, language));
  if (!english || !chinese) throw new Error(`a page of ${rule} is missing`);
  expect(shapeOf(chinese)).toEqual(shapeOf(english));
});

const READMES = ['README.md', 'README.zh-CN.md', 'eslint-plugin/README.md', 'eslint-plugin/README.zh-CN.md'];

test.each([...READMES.map((file) => join(root, file)), ...complete.flatMap(pathsOf)])(
  'every link to a file leads to one: %s',
  (path) => {
    const links = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    );
    const files = links.filter((link) => !link.includes('://'));
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(dirname(path), file)))).toEqual([]);
  },
);
