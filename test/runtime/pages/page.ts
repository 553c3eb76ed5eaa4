/** A page of the runtime as data: its headings, links and code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown } from '../../support/markdown.js';

export const root: string = join(import.meta.dirname, '../../..');
const FOLDERS = ['runtime', 'runtime/docs'];
const CHINESE = '.zh-CN.md';

export interface Block {
  /** `runtime/README.md:16`. */
  name: string;
  language: string;
  code: string;
}

export interface Page {
  /** The path below the root. */
  file: string;
  headings: string[];
  /** Targets of links to files of the project, with their anchors. */
  links: string[];
  /** Where a link to this page can lead. */
  anchors: Set<string>;
  blocks: Block[];
}

export function readPages(): Page[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return files.map((file) => readPage(file, readFileSync(join(root, file), 'utf8')));
}

export const isChinese = ({ file }: Page): boolean => file.endsWith(CHINESE);

/** The file of the same page in the other language. */
export const inChinese = (file: string): string => file.replace(/\.md$/, CHINESE);

function readPage(file: string, text: string): Page {
  const { headings, fences, prose } = readMarkdown(file, text);
  const blocks = fences.map(({ line, language, code }) => ({
    name: `${file}:${String(line)}`,
    language,
    code,
  }));
  const links = prose
    .flatMap((line) => [...line.matchAll(/\]\(([^)\s]+)\)/g)])
    .map(([, target = '']) => target)
    .filter((target) => !target.includes('://'));
  const anchors = new Set<string>();
  for (const heading of headings) anchors.add(anchorOf(heading, anchors));
  return { file, headings, links, anchors, blocks };
}

/** As GitHub makes it: lower case, no punctuation, hyphens for spaces, a number for a repeated one. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const words = heading.replace(/^#+ /, '').toLowerCase();
  const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
  for (let count = 0; ; count += 1) {
    const anchor = count === 0 ? slug : `${slug}-${String(count)}`;
    if (!taken.has(anchor)) return anchor;
  }
}

const COMMENTS: Record<string, RegExp> = { sql: /--.*$/gm, sh: /#.*$/gm };

/** The code without its comments and layout, which differ from language to language. */
const plain = ({ language, code }: Block): string =>
  code
    .replace(COMMENTS[language] ?? /(?<!:)\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What a page has in common with its translation. */
export const shapeOf = ({ headings, blocks, links }: Page): unknown => ({
  levels: headings.map((heading) => heading.split(' ')[0]),
  code: blocks.map((block) => `${block.language}: ${plain(block)}`),
  links: links.length,
});
