/** A rule's page as data: its headings and its code blocks, with what their fences claim. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lint.js';

export const FOLDER = join(root, 'eslint-plugin/docs/rules');

const KINDS = ['wrong', 'right', 'silent', 'fixed', 'suggested', 'config'] as const;

interface Code {
  /** What stands behind the fence. */
  info: string;
  language: string;
  code: string;
}

export interface Block extends Code {
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
  commands: Code[];
}

export const pageFile = (rule: string, language: 'en' | 'zh'): string =>
  `${rule}${language === 'zh' ? '.zh-CN' : ''}.md`;

/** The page of a rule; null while there is none. */
export function readPage(rule: string, language: 'en' | 'zh'): Page | null {
  const file = pageFile(rule, language);
  const path = join(FOLDER, file);
  if (!existsSync(path)) return null;
  const page: Page = { rule, file, headings: [], blocks: [], commands: [] };
  let open: { info: string; line: number; code: string[] } | null = null;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (open && line === '```') {
      const code = codeOf(open.info, open.code);
      if (code.language === 'sh') page.commands.push(code);
      else page.blocks.push(blockOf(code, `${file}:${open.line}`, page.blocks));
      open = null;
    } else if (open) open.code.push(line);
    else if (line.startsWith('```')) open = { info: line.slice(3), line: index + 1, code: [] };
    else if (/^#+ /.test(line)) page.headings.push(line);
  }
  if (open) throw new Error(`${file}:${open.line}: the block has no end`);
  return page;
}

const codeOf = (info: string, lines: string[]): Code => ({
  info,
  language: info.split(' ')[0] ?? '',
  code: `${lines.join('\n')}\n`,
});

function blockOf(code: Code, place: string, before: Block[]): Block {
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
