// The overview of all rules, and what it shares with the pages: a rule's description, configs and repairs in words.
import plugin from 'eslint-plugin-lockproof';
import { pageName } from './page-name.mjs';
import { table, WORDS } from './texts.mjs';

const CONFIGS = ['recommended', 'strict', 'all'];

export const describe = ({ docs }, language) => (language === 'zh' ? docs.descriptionZh : docs.description);

export const configsOf = ({ docs }) =>
  CONFIGS.slice(CONFIGS.indexOf(docs.config))
    .map((config) => `\`${config}\``)
    .join(' ');

export function repairOf(meta, language) {
  const { fix, suggestion } = WORDS[language];
  return [meta.fixable ? fix : '', meta.hasSuggestions ? suggestion : ''].filter(Boolean).join(', ');
}

/** Each rule with a link to its page in the folder `pages`. */
export function rulesTable(language, pages) {
  const { overview, levels } = WORDS[language];
  const rows = Object.entries(plugin.rules)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, { meta }]) => [
      `[\`${name}\`](${pages}${pageName(name, language)})`,
      describe(meta, language),
      meta.docs.level === 'warn' ? `${configsOf(meta)} (${levels.warn})` : configsOf(meta),
      repairOf(meta, language),
    ]);
  return table(overview, rows);
}
