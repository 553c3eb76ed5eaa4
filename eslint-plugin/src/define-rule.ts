/** The one way in which a Lockproof rule is made: gate, model, report. */
import type { Rule } from 'eslint';
import { SUGGESTIONS, toFix, type Repair } from './fixes/repair.js';
import { textMatters } from './model/gate.js';
import { modelOf, type Model } from './model/index.js';
import { isTestFile, readSettings, type LockproofSettings } from './model/settings.js';
import type { Node, Range, SourceCode } from './types.js';

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
  /** Options by name: a JSON schema each (with a description), the default, and the value in `strict` where it differs. */
  options?: Readonly<Record<string, RuleOption>>;
  check: (file: CheckedFile<MessageId>) => void;
  /** For rules that also speak on `.lua` files. */
  checkLua?: (file: CheckedLua<MessageId>) => void;
}

interface CheckedLua<MessageId extends string> {
  text: string;
  filename: string;
  report: (finding: { range: Range; messageId: MessageId; data: Readonly<Record<string, string>> }) => void;
}

interface RuleOption {
  schema: { type: 'integer' | 'boolean'; minimum?: number; description: string };
  default: number | boolean;
  strict?: number | boolean;
}

interface Finding<MessageId extends string> {
  node: Node;
  /** The end of the report, where it spans more than the node. */
  until?: Node;
  /** The place of the report, where it is a part of the node. */
  loc?: Node['loc'];
  messageId: MessageId;
  data: Readonly<Record<string, string>>;
  /** The way to repair it; null where there is none that can be written down in this file. */
  repair?: Repair | null;
}

interface CheckedFile<MessageId extends string> {
  sourceCode: SourceCode;
  filename: string;
  settings: LockproofSettings;
  options: Readonly<Record<string, number | boolean>>;
  model: Model;
  report: (finding: Finding<MessageId>) => void;
}

export interface LockproofRule {
  docs: RuleDocs;
  /** The options that `strict` and `all` set. */
  strictOptions: Readonly<Record<string, number | boolean>> | null;
  module: Rule.RuleModule;
}

const PAGES = 'https://github.com/lockproof/lockproof/blob/main/eslint-plugin/docs/rules';

export function defineRule<MessageId extends string>(definition: RuleDefinition<MessageId>): LockproofRule {
  const { name, docs, messages, fixable, options = {}, check, checkLua } = definition;
  const defaults = mapValues(options, (option) => option.default);
  const module: Rule.RuleModule = {
    meta: {
      type: 'problem',
      docs: docsOf(name, docs),
      ...(fixable ? { fixable: 'code' as const } : {}),
      hasSuggestions: true,
      schema: schemaOf(options),
      defaultOptions: Object.keys(options).length > 0 ? [defaults] : [],
      messages: { ...messages, ...SUGGESTIONS },
    },
    create(context) {
      const sourceCode = context.sourceCode as unknown as SourceCode;
      if (isLua(context.sourceCode)) return checkLua ? luaVisitor(context, checkLua) : {};
      // Other languages (JSON, CSS) come without scopes.
      if (!(sourceCode.scopeManager as unknown)) return {};
      const settings = settingsFor(context, sourceCode);
      if (!settings) return {};
      return {
        'Program:exit'() {
          const report = (finding: Finding<MessageId>): void => {
            context.report(descriptorOf(finding, settings) as Rule.ReportDescriptor);
          };
          check({
            sourceCode,
            filename: context.filename,
            settings,
            // ESLint 8 knows no defaultOptions.
            options: { ...defaults, ...(context.options[0] as typeof defaults | undefined) },
            model: modelOf(sourceCode, settings),
            report,
          });
        },
      };
    },
  };
  const strict = Object.entries(options).flatMap(([key, o]) =>
    o.strict === undefined ? [] : [[key, o.strict] as const],
  );
  const strictOptions = strict.length > 0 ? Object.fromEntries(strict) : null;
  return { docs, strictOptions, module };
}

const isLua = (sourceCode: unknown): boolean => (sourceCode as { isLua?: boolean }).isLua === true;

/** On a `.lua` file there is one node, the chunk, and the verdict is on its whole text. */
function luaVisitor<MessageId extends string>(
  context: Rule.RuleContext,
  checkLua: (file: CheckedLua<MessageId>) => void,
): Rule.RuleListener {
  const { sourceCode, filename } = context;
  return {
    Chunk() {
      checkLua({
        text: sourceCode.text,
        filename,
        report: ({ range, messageId, data }) => {
          const [start, end] = [sourceCode.getLocFromIndex(range[0]), sourceCode.getLocFromIndex(range[1])];
          context.report({ loc: { start, end }, messageId, data });
        },
      });
    },
  };
}

interface Decision {
  given: Rule.RuleContext['settings'];
  filename: string;
  settings: LockproofSettings | null;
}

const decided = new WeakMap<SourceCode, Decision>();

/** The settings for a file that rules may speak about, null for any other; asked by every rule, answered once. */
function settingsFor(context: Rule.RuleContext, sourceCode: SourceCode): LockproofSettings | null {
  const { settings: given, filename } = context;
  const known = decided.get(sourceCode);
  if (known?.given === given && known.filename === filename) return known.settings;
  const settings = readSettings(given);
  const matters =
    (settings.tests || !isTestFile(filename, context.cwd)) && textMatters(sourceCode.text, namesOf(settings));
  const decision = { given, filename, settings: matters ? settings : null };
  decided.set(sourceCode, decision);
  return decision.settings;
}

/** Names that open the gate: without them nothing in the text may speak of Redis. */
const namesOf = (settings: LockproofSettings): string[] => [
  ...settings.clients,
  ...settings.wrappers.map(({ name }) => name.split('.').at(-1) ?? name),
];

const mapValues = <T, R>(object: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

function schemaOf(options: Readonly<Record<string, RuleOption>>): NonNullable<Rule.RuleMetaData['schema']> {
  if (Object.keys(options).length === 0) return [];
  return [
    {
      type: 'object',
      additionalProperties: false,
      properties: mapValues(options, (option) => option.schema),
    },
  ];
}

/** ESLint knows three of these fields; tables and the editor read the others. */
function docsOf(name: string, docs: RuleDocs): Rule.RuleMetaData['docs'] {
  const own = { descriptionZh: docs.descriptionZh, config: docs.config, level: docs.level ?? 'error' };
  return {
    ...own,
    description: docs.description,
    recommended: docs.config === 'recommended',
    url: `${PAGES}/${name}.md`,
  };
}

function descriptorOf<MessageId extends string>(
  finding: Finding<MessageId>,
  settings: LockproofSettings,
): unknown {
  const { node, until, messageId, data, repair } = finding;
  const loc = until ? { start: node.loc.start, end: until.loc.end } : (finding.loc ?? node.loc);
  const base = { node, loc, messageId, data };
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
