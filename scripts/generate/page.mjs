// The generated parts of a rule's page: its facts under the title, and its options.
import plugin from 'eslint-plugin-lockproof';
import { pageName } from './page-name.mjs';
import { configsOf, describe, repairOf } from './rules-table.mjs';
import { LANGUAGES, OPTIONS_ZH, table, WORDS } from './texts.mjs';

export function ruleFacts(name, language) {
  const { meta } = plugin.rules[name];
  const words = WORDS[language];
  const other = LANGUAGES.find((l) => l !== language);
  const readme = language === 'zh' ? '../../README.zh-CN.md#规则' : '../../README.md#rules';
  const options = Object.keys(propertiesOf(meta)).map((option) => `\`${option}\``);
  const lua = `lockproof/${name}` in plugin.configs.lua.rules ? ' `lua`' : '';
  return [
    sentence(describe(meta, language), language),
    table(words.facts, [
      [
        `${configsOf(meta)}${lua}`,
        words.levels[meta.docs.level],
        repairOf(meta, language),
        options.join(', ') || words.none,
      ],
    ]),
    `[${words.otherLanguage}](${pageName(name, other)}) | [${words.allRules}](${readme})`,
  ].join('\n\n');
}

export function ruleOptions(name, language) {
  const { meta } = plugin.rules[name];
  const words = WORDS[language];
  const [defaults] = meta.defaultOptions;
  if (!defaults) return words.noOptions;
  const entry = plugin.configs.strict.rules[`lockproof/${name}`];
  const strict = { ...defaults, ...(Array.isArray(entry) ? entry[1] : {}) };
  const rows = Object.entries(propertiesOf(meta)).map(([option, { description }]) => [
    `\`${option}\``,
    language === 'zh' ? inChinese(option) : description,
    `\`${defaults[option]}\``,
    `\`${strict[option]}\``,
  ]);
  return table(words.options, rows);
}

const propertiesOf = (meta) => meta.schema[0]?.properties ?? {};

function inChinese(option) {
  const text = OPTIONS_ZH[option];
  if (!text) throw new Error(`scripts/generate/texts.mjs has no Chinese for the option ${option}`);
  return text;
}

const sentence = (text, language) =>
  language === 'zh' ? `${text}。` : `${text[0].toUpperCase()}${text.slice(1)}.`;
