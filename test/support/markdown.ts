/** A Markdown page as data: its headings, and what stands between fences. */

export interface Fence {
  /** What stands behind the opening fence. */
  info: string;
  /** The first word of it. */
  language: string;
  /** The line of the opening fence, from 1 on. */
  line: number;
  /** The lines between the fences, each with its end. */
  code: string;
}

export interface Markdown {
  /** With their level: `## Why`. */
  headings: string[];
  fences: Fence[];
  /** The lines outside of the fences. */
  prose: string[];
}

/** @throws Error that names the line of a fence without an end */
export function readMarkdown(file: string, text: string): Markdown {
  const page: Markdown = { headings: [], fences: [], prose: [] };
  let open: Fence | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (open && line === '```') {
      page.fences.push(open);
      open = null;
    } else if (open) {
      open.code += `${line}\n`;
    } else if (line.startsWith('```')) {
      const info = line.slice(3);
      open = { info, language: info.split(' ')[0] ?? '', line: index + 1, code: '' };
    } else {
      page.prose.push(line);
      if (/^#+ /.test(line)) page.headings.push(line);
    }
  }
  if (open) throw new Error(`${file}:${String(open.line)}: the block has no end`);
  return page;
}
