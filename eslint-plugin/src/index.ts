/** The plugin object: meta, rules, configs. */
import type { ESLint, Linter, Rule } from 'eslint';
import type { LockproofRule, RuleDocs } from './define-rule.js';
import noBlindRelease from './rules/no-blind-release.js';
import noGetThenDel from './rules/no-get-then-del.js';
import noUncheckedRelease from './rules/no-unchecked-release.js';
import requireUniqueToken from './rules/require-unique-token.js';
import { NAME, VERSION } from './version.js';

const rules: Readonly<Record<string, LockproofRule>> = {
  'no-blind-release': noBlindRelease,
  'no-get-then-del': noGetThenDel,
  'no-unchecked-release': noUncheckedRelease,
  'require-unique-token': requireUniqueToken,
};

type ConfigName = RuleDocs['config'];

/** Each config holds the rules of the ones before it. */
const ORDER: readonly ConfigName[] = ['recommended', 'strict', 'all'];

function config(name: ConfigName): Linter.Config {
  const level = ORDER.indexOf(name);
  const chosen = Object.entries(rules).filter(([, rule]) => ORDER.indexOf(rule.docs.config) <= level);
  return {
    name: `lockproof/${name}`,
    plugins: {
      get lockproof(): ESLint.Plugin {
        return plugin;
      },
    },
    rules: Object.fromEntries(
      chosen.map(([rule, { docs, strictOptions }]) => [
        `lockproof/${rule}`,
        entryOf(docs, level, strictOptions),
      ]),
    ),
  };
}

/** The level of a rule, with the options that it has from `strict` on. */
function entryOf(docs: RuleDocs, config: number, strict: LockproofRule['strictOptions']): Linter.RuleEntry {
  const level = docs.level ?? 'error';
  return strict && config > 0 ? [level, strict] : level;
}

const plugin = {
  meta: { name: NAME, version: VERSION, namespace: 'lockproof' },
  rules: Object.fromEntries(Object.entries(rules).map(([rule, { module }]) => [rule, module])) as Record<
    string,
    Rule.RuleModule
  >,
  configs: { recommended: config('recommended'), strict: config('strict'), all: config('all') },
} satisfies ESLint.Plugin;

export { plugin as default, plugin as 'module.exports' };
