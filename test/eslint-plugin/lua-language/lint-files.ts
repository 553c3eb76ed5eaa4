/** The plugin on files in a folder of its own, as a user runs it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import { plugin } from '../plugin.js';

export interface Linted {
  /** `line:column-endLine:endColumn messageId`, in the order of the file. */
  reports: string[];
  messages: Linter.LintMessage[];
  /** The text of the file afterwards. */
  text: string;
}

interface Options extends ESLint.Options {
  /** After the config for Lua. */
  configs?: Linter.Config[];
}

export async function lintFile(
  name: string,
  text: string,
  { configs = [], ...options }: Options = {},
): Promise<Linted> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lockproof-lua-')));
  try {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const eslint = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: [plugin.configs.lua, ...configs],
      ...options,
    });
    const results = await eslint.lintFiles(['.']);
    if (options.fix) await ESLint.outputFixes(results);
    const messages = results.flatMap((result) => result.messages);
    return { reports: messages.map(summary), messages, text: readFileSync(path, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summary({ line, column, endLine, endColumn, messageId, message }: Linter.LintMessage): string {
  const end = endLine === undefined ? '' : `-${String(endLine)}:${String(endColumn)}`;
  return `${String(line)}:${String(column)}${end} ${messageId ?? message}`;
}
