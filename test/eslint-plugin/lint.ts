/** The built plugin on a text, as a user runs it. */
import { join } from 'node:path';
import tsParser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import { plugin } from './plugin.js';

export const root = join(import.meta.dirname, '../..');

export interface LintOptions {
  config?: 'recommended' | 'strict' | 'all';
  fix?: boolean;
  settings?: Record<string, unknown>;
  /** A TypeScript program that holds the file: brings type information. */
  program?: unknown;
}

export async function lint(
  text: string,
  filePath: string,
  options: LintOptions = {},
): Promise<ESLint.LintResult> {
  const files = ['**/*.{ts,tsx,mts,cts,js,mjs,cjs,jsx}'];
  const rules = plugin.configs[options.config ?? 'recommended'];
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    ignore: false,
    fix: options.fix ?? false,
    overrideConfig: [
      {
        files,
        languageOptions: {
          parser: tsParser,
          parserOptions: {
            ecmaFeatures: { jsx: true },
            ...(options.program ? { programs: [options.program] } : {}),
          },
        },
        settings: { lockproof: { tests: true, ...options.settings } },
      },
      { ...rules, files },
    ],
  });
  const [result] = await eslint.lintText(text, { filePath });
  if (!result) throw new Error(`${filePath} was not linted`);
  return result;
}
