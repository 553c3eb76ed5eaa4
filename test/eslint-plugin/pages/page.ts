/** A rule's page as data: its headings and its code blocks, with what their fences claim. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown, type Fence } from '../../support/markdown.js';
import { root } from '../lint.js';

export const FOLDER = join(root, 'eslint-plugin/docs/rules');

const KINDS = ['wrong', 'right', 'silent', 'fixed', 'suggested', 'config'] as const;

export interface Block extends Fence {
  /** `no-blind-release.md:40 ts wrong blindDelete`. */
  name: string;
  kind: (typeof KINDS)[number];
  /** The words behind the kind: reports of a `wrong` block, the number of a suggestion. */
  claims: string[];
  /** Only the page's rule looks at it. */
  only: boolean;
  /** Of the page's rule. */
  options: Record<string, unknown> | null;
  /** `settings.lockproof`. */
  settings: Record<string, unknown>;
  /** The path of the file that it stands for: names speak in the case of `.lua` files. */
  file: string;
  /** The last `wrong` block before it. */
  origin: Block | null;
}

export interface Page {
  rule: string;
  file: string;
  /** With their level: `## Why`. */
  headings: string[];
  blocks: Block[];
  /** Blocks of shell commands. */
  commands: Fence[];
}

export const pageFile = (rule: string, language: 'en' | 'zh'): string =>
  `${rule}${language === 'zh' ? '.zh-CN' : ''}.md`;

/** The page of a rule; null while there is none. */
export function readPage(rule: string, language: 'en' | 'zh'): Page | null {
  const file = pageFile(rule, language);
  const path = join(FOLDER, file);
  if (!existsSync(path)) return null;
  const { headings, fences } = readMarkdown(file, readFileSync(path, 'utf8'));
  const page: Page = { rule, file, headings, blocks: [], commands: [] };
  for (const fence of fences) {
    if (fence.language === 'sh') page.commands.push(fence);
    else page.blocks.push(blockOf(fence, `${file}:${fence.line}`, page.blocks));
  }
  return page;
}

function blockOf(code: Fence, place: string, before: Block[]): Block {
  const name = `${place} ${code.info}`;
  const [, second, ...words] = code.info.split(' ');
  const kind = KINDS.find((k) => k === second);
  if (!kind) throw new Error(`${name}: a block is \`sh\`, or of one of the kinds ${KINDS.join(', ')}`);
  const textOf = (key: string): string | null =>
    words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1) ?? null;
  const valueOf = (key: string): Record<string, unknown> | null =>
    JSON.parse(textOf(key) ?? 'null') as Record<string, unknown> | null;
  return {
    ...code,
    name,
    kind,
    claims: words.filter((word) => word !== 'only' && !/^\w+=/.test(word)),
    only: words.includes('only'),
    options: valueOf('options'),
    settings: valueOf('settings') ?? {},
    file: textOf('file') ?? `stock.${code.language}`,
    origin: before.findLast((block) => block.kind === 'wrong') ?? null,
  };
}
