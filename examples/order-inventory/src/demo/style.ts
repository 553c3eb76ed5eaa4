/** Colours where somebody looks at a terminal, plain text everywhere else. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const coloured = process.stdout.isTTY && !process.env.NO_COLOR;

export const styled = (style: Style, text: string): string => (coloured ? styleText(style, text) : text);

/** Breaks a text into lines between words, each with the indent before it. */
export function wrapped(text: string, indent: string, width = 100): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => indent + each).join('\n');
}
