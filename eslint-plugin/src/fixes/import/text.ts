/** Edits of a file's text, and small questions about it. */
import { once } from '../../once.js';
import type { Range, SourceCode } from '../../types.js';

export interface ImportEdit {
  range: Range;
  text: string;
}

export const insert = (at: number, text: string): ImportEdit => ({ range: [at, at], text });

export const newlineOf = once((sourceCode: SourceCode): string =>
  sourceCode.text.includes('\r\n') ? '\r\n' : '\n',
);

/** The white space before a place, when nothing else stands before it on its line. */
export function indentAt({ text }: SourceCode, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.trim() === '' ? line : '';
}

/** The end of the line, when only white space and comments follow on it; else null. */
export function endOfLine({ text }: SourceCode, offset: number): number | null {
  const rest = /[^\S\r\n]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[^\S\r\n]*)*(?:\/\/[^\r\n]*)?(?=[\r\n]|$)/y;
  rest.lastIndex = offset;
  return rest.test(text) ? rest.lastIndex : null;
}
