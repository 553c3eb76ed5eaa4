/** ESLint's `Linter` with the rules of one config, as a function from text to findings. */
import type { Rule, SourceCode } from 'eslint';
import { Linter } from 'eslint/universal';
import { LOCKPROOF } from '../protocol/names.js';
import type { Finding, Lint, Repair, Span } from './findings.js';

type Message = Linter.LintMessage;
type Fix = NonNullable<Message['fix']>;

/**
 * Builds the function that lints.
 * @param config the plugin, under the name `lockproof`, and the levels of its rules
 * @param languageOptions parser and its options; ESLint's own parser for JavaScript if they name none
 */
export function createLint(config: Linter.Config, languageOptions: Linter.LanguageOptions): Lint {
  const configs: Linter.Config[] = [
    { files: ['**/*.cjs', '**/*.cts'], languageOptions: { sourceType: 'commonjs' } },
    {
      files: ['**/?*'], // any name at all: ESLint takes `**/*` to mean files that another entry names
      languageOptions,
      linterOptions: { reportUnusedDisableDirectives: 'off' },
    },
    config,
  ];
  const rules = new Map(
    Object.entries(config.plugins?.[LOCKPROOF]?.rules ?? {}).map(([name, rule]) => [
      `${LOCKPROOF}/${name}`,
      rule,
    ]),
  );

  return (text, filename, root) => {
    // A linter of its own for each text keeps no syntax tree alive.
    const linter = new Linter({ cwd: root });
    const messages = linter.verify(text, configs, { filename });
    const places = placesIn(text, linter.getSourceCode());
    return messages.flatMap((message) => {
      // Other messages are of a text that does not parse, or of a comment that configures other people's rules.
      const name = message.ruleId ?? '';
      const rule = rules.get(name);
      return rule ? [toFinding(name, rule, message, places)] : [];
    });
  };
}

interface Places {
  readonly ofMessage: (message: Message) => Span;
  readonly ofFix: (fix: Fix) => Span;
}

/** ESLint counts from behind a byte order mark, and has line ends of its own; the editor counts from the start of the text. */
function placesIn(text: string, source: SourceCode): Places {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const offset = (line: number, column: number) =>
    mark + source.getIndexFromLoc({ line, column: column - 1 });
  return {
    ofMessage: ({ line, column, endLine = line, endColumn = column }) => [
      offset(line, column),
      offset(endLine, endColumn),
    ],
    ofFix: ({ range: [start, end] }) => [mark + start, mark + end],
  };
}

function toFinding(name: string, rule: Rule.RuleModule, message: Message, places: Places): Finding {
  const { fix, suggestions = [] } = message;
  const repair = (title: string, edit: Fix, kind: Repair['kind']): Repair => ({
    title,
    span: places.ofFix(edit),
    text: edit.text,
    kind,
  });
  return {
    rule: name,
    severity: message.severity === 2 ? 'error' : 'warning',
    message: message.message,
    span: places.ofMessage(message),
    url: rule.meta?.docs?.url,
    repairs: [
      ...(fix ? [repair(`Repair this lock (${name})`, fix, 'fix')] : []),
      ...suggestions.map((suggestion) => repair(suggestion.desc, suggestion.fix, 'suggestion')),
    ],
  };
}
