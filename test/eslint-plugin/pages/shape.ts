/** What the pages of one rule share in both languages: the levels of the headings, and the code without its comments. */
import tsParser from '@typescript-eslint/parser';
import type { Block, Page } from './page.js';

/** The code of a block without comments and layout. Throws where it does not parse. */
export function tokensOf({ language, code }: Pick<Block, 'language' | 'code'>): string[] {
  if (language === 'lua') return linesWithout(code, /--.*$/gm);
  if (language === 'sh') return linesWithout(code, /#.*$/gm);
  return tsParser.parse(code, { tokens: true, sourceType: 'module' }).tokens.map(({ value }) => value);
}

const linesWithout = (code: string, comments: RegExp): string[] =>
  code
    .replace(comments, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

interface Shape {
  levels: string[];
  blocks: { info: string; tokens: string[] }[];
}

export const shapeOf = ({ headings, commands, blocks }: Page): Shape => ({
  levels: headings.map((heading) => heading.split(' ')[0] ?? ''),
  blocks: [...commands, ...blocks].map((block) => ({ info: block.info, tokens: tokensOf(block) })),
});
