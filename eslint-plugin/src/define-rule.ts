/** The one way in which a Lockproof rule is made: gate, model, report. */
import type { Rule } from 'eslint';
import { toFix, type Repair } from './fixes/repair.js';
import { fileMatters } from './model/gate.js';
import { modelOf, type Model } from './model/index.js';
import { isTestFile, readSettings, type LockproofSettings } from './model/settings.js';
import type { Node, SourceCode } from './types.js';

export interface RuleDocs {
  description: string;
  /** The same in Chinese, for tables and the editor. */
  descriptionZh: string;
  /** The configs that hold the rule: `recommended` and all above it, `strict` and `all`, or `all` alone. */
  config: 'recommended' | 'strict' | 'all';
  level?: 'error' | 'warn';
}

export interface RuleDefinition<MessageId extends string> {
  name: string;
  docs: RuleDocs;
  /** Texts of the reports; suggestion texts belong here, too. */
  messages: Readonly<Record<MessageId, string>>;
  fixable: boolean;
  check: (file: CheckedFile<MessageId>) => void;
}

export interface Finding<MessageId extends string> {
  node: Node;
  messageId: MessageId;
  data: Readonly<Record<string, string>>;
  /** The way to repair it; null where there is none that can be written down in this file. */
  repair?: Repair | null;
}

export interface CheckedFile<MessageId extends string> {
  sourceCode: SourceCode;
  filename: string;
  settings: LockproofSettings;
  model: Model;
  report: (finding: Finding<MessageId>) => void;
}

export interface LockproofRule {
  docs: RuleDocs;
  module: Rule.RuleModule;
}

const PAGES = 'https://github.com/lockproof/lockproof/blob/main/eslint-plugin/docs/rules';

/** Texts of the suggestions, shared by all rules. */
const SUGGESTIONS = {
  useLease: 'Take and release {{key}} with `tryAcquireLease` and `releaseLease` of lockproof.',
  releaseByToken:
    'Compare and delete in one step inside Redis: `releaseLease({{client}}, {{key}}, {{token}})`.',
  installRuntime: '{{title}} (Add the package first: `npm install lockproof`.)',
} as const;

export function defineRule<MessageId extends string>(definition: RuleDefinition<MessageId>): LockproofRule {
  const { name, docs, messages, fixable, check } = definition;
  const module: Rule.RuleModule = {
    meta: {
      type: 'problem',
      docs: {
        description: docs.description,
        descriptionZh: docs.descriptionZh,
        config: docs.config,
        level: docs.level ?? 'error',
        recommended: docs.config === 'recommended',
        url: `${PAGES}/${name}.md`,
      },
      ...(fixable ? { fixable: 'code' as const } : {}),
      hasSuggestions: true,
      schema: [],
      messages: { ...messages, ...SUGGESTIONS },
    },
    create(context) {
      const sourceCode = context.sourceCode as unknown as SourceCode;
      // Other languages (JSON, CSS, Lua) come without scopes.
      if (!(sourceCode.scopeManager as unknown)) return {};
      const settings = readSettings(context.settings);
      if (!settings.tests && isTestFile(context.filename, context.cwd)) return {};
      if (!fileMatters(sourceCode, settings.clients)) return {};
      return {
        'Program:exit'() {
          const report = (finding: Finding<MessageId>): void => {
            context.report(descriptorOf(finding, settings) as Rule.ReportDescriptor);
          };
          check({
            sourceCode,
            filename: context.filename,
            settings,
            model: modelOf(sourceCode, settings),
            report,
          });
        },
      };
    },
  };
  return { docs, module };
}

function descriptorOf<MessageId extends string>(
  finding: Finding<MessageId>,
  settings: LockproofSettings,
): unknown {
  const { node, messageId, data, repair } = finding;
  const base = { node, messageId, data };
  if (!repair) return base;
  const fix = toFix(repair.edits);
  if (repair.safe && repair.runtimeFound && settings.fixes === 'safe') return { ...base, fix };
  if (repair.runtimeFound) return { ...base, suggest: [{ messageId: repair.title, data: repair.data, fix }] };
  const title = SUGGESTIONS[repair.title].replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, key: string) => repair.data[key] ?? '',
  );
  return { ...base, suggest: [{ messageId: 'installRuntime', data: { title }, fix }] };
}
