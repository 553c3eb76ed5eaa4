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
    rules: Object.fromEntries(chosen.map(([rule, { docs }]) => [`lockproof/${rule}`, docs.level ?? 'error'])),
  };
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
