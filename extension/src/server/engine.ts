/** ESLint's `Linter` with one plugin, as a function from text to findings. */
import { parse } from 'node:path';
import type { ESLint } from 'eslint';
import { Linter } from 'eslint/universal';
import { LOCKPROOF } from '../protocol/names.js';
import type { Finding, Lint, Repair, Span } from './findings.js';

type Fix = NonNullable<Linter.LintMessage['fix']>;

export interface Engine {
  /** The plugin whose rules are run. */
  readonly plugin: ESLint.Plugin;
  /** Levels by full rule name, as in a flat config. */
  readonly rules: Linter.RulesRecord;
  /** Parser and its options; ESLint's own parser for JavaScript if there is none. */
  readonly languageOptions: Linter.LanguageOptions;
}

/** Builds the function that lints with `plugin`, registered under the name `lockproof`. */
export function createLint({ plugin, rules, languageOptions }: Engine): Lint {
  const configs: Linter.Config[] = [
    { files: ['**/*.cjs', '**/*.cts'], languageOptions: { sourceType: 'commonjs' } },
    {
      files: ['**/?*'], // any name at all: ESLint takes `**/*` to mean files that another entry names
      plugins: { [LOCKPROOF]: plugin },
      rules,
      languageOptions,
      linterOptions: { reportUnusedDisableDirectives: 'off' },
    },
  ];
  const ruleOf = (name: string) =>
    name.startsWith(`${LOCKPROOF}/`) ? plugin.rules?.[name.slice(LOCKPROOF.length + 1)] : undefined;

  return (text, filename) => {
    // ESLint has no config for a file outside its working directory. A linter of its own for each text keeps no tree alive.
    const linter = new Linter({ cwd: parse(filename).root });
    const messages = linter.verify(text, configs, { filename });
    const source = linter.getSourceCode();
    // ESLint counts from behind a byte order mark, the editor from the start of the text.
    const shift = text.startsWith('\uFEFF') ? 1 : 0;
    const shifted = ([start, end]: Fix['range']): Span => [start + shift, end + shift];
    const offset = (line: number, column: number) =>
      source.getIndexFromLoc({ line, column: column - 1 }) + shift;

    return messages.flatMap((message): Finding[] => {
      const { ruleId, line, column, endLine = line, endColumn = column, fix, suggestions = [] } = message;
      // Anything else is a text that does not parse or a comment that configures other people's rules.
      const rule = ruleId === null ? undefined : ruleOf(ruleId);
      if (ruleId === null || !rule) return [];
      const repairs: Repair[] = suggestions.map((suggestion) => ({
        title: suggestion.desc,
        span: shifted(suggestion.fix.range),
        text: suggestion.fix.text,
        kind: 'suggestion',
      }));
      if (fix) {
        repairs.unshift({
          title: `Repair this lock (${ruleId})`,
          span: shifted(fix.range),
          text: fix.text,
          kind: 'fix',
        });
      }
      return [
        {
          rule: ruleId,
          severity: message.severity === 2 ? 'error' : 'warning',
          message: message.message,
          span: [offset(line, column), offset(endLine, endColumn)],
          url: rule.meta?.docs?.url,
          repairs,
        },
      ];
    });
  };
}
