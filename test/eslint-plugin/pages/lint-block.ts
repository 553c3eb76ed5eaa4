/** Code blocks of the pages under all rules of the plugin, as files of a project that has the runtime. */
import { join } from 'node:path';
import tsParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { root } from '../lint.js';
import { plugin } from '../plugin.js';
import type { Block } from './page.js';

const linter = new Linter({ cwd: root });

/** No such file is needed: its folder tells what is installed. */
const filenameOf = ({ file }: Block): string => join(root, file);

/** Advice to replace a correct lock is for its own page alone. */
const ADVICE = 'prefer-runtime';

function configOf(block: Block, rule: string): Linter.Config[] {
  const names = block.only ? [rule] : Object.keys(plugin.rules).filter((n) => n !== ADVICE || n === rule);
  const files = [`**/*.${block.language}`];
  return [
    {
      files,
      plugins: { lockproof: plugin },
      ...(block.language === 'lua' ? { language: 'lockproof/lua' } : {}),
      ...(block.language === 'ts' ? { languageOptions: { parser: tsParser } } : {}),
      settings: { lockproof: block.settings },
      rules: Object.fromEntries(names.map((name) => [`lockproof/${name}`, 'error'])),
    },
    ...(block.options ? [{ files, rules: { [`lockproof/${rule}`]: ['error', block.options] } }] : []),
  ] as Linter.Config[];
}

/** The reports on a block, in the order of its lines. */
export const messagesOf = (block: Block, rule: string, code = block.code): Linter.LintMessage[] =>
  linter.verify(code, configOf(block, rule), { filename: filenameOf(block) });

/** A block after `--fix`. */
export const fixedBy = (block: Block, rule: string): string =>
  linter.verifyAndFix(block.code, configOf(block, rule), { filename: filenameOf(block) }).output;

/** `no-blind-release/blindDelete`; what is no report of a rule (a parse error, say) shows its text. */
export const nameOf = ({ ruleId, messageId, message }: Linter.LintMessage): string =>
  ruleId?.startsWith('lockproof/') && messageId
    ? `${ruleId.slice('lockproof/'.length)}/${messageId}`
    : message;

/** A block after the n-th suggestion of the first report of the page's rule. */
export function suggestedBy(block: Block, rule: string, n: number): string | null {
  const message = messagesOf(block, rule).find(({ ruleId }) => ruleId === `lockproof/${rule}`);
  const fix = message?.suggestions?.[n - 1]?.fix;
  return fix ? `${block.code.slice(0, fix.range[0])}${fix.text}${block.code.slice(fix.range[1])}` : null;
}
