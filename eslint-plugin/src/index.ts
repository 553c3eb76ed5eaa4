/** The plugin object: meta, rules, configs. */
import type { ESLint, Linter, Rule } from 'eslint';
import type { LockproofRule, RuleDocs } from './define-rule.js';
import { luaLanguage } from './lua-language/language.js';
import noBlindRelease from './rules/no-blind-release.js';
import noBlindRenew from './rules/no-blind-renew.js';
import noDeleteAfterLost from './rules/no-delete-after-lost.js';
import noDialectMismatch from './rules/no-dialect-mismatch.js';
import noGetThenDel from './rules/no-get-then-del.js';
import noGuessedTtl from './rules/no-guessed-ttl.js';
import noIgnoredLeaseLoss from './rules/no-ignored-lease-loss.js';
import noReleaseWithoutAcquire from './rules/no-release-without-acquire.js';
import noTokenInLogs from './rules/no-token-in-logs.js';
import noUncheckedAcquire from './rules/no-unchecked-acquire.js';
import noUncheckedRelease from './rules/no-unchecked-release.js';
import noUnguardedScript from './rules/no-unguarded-script.js';
import preferRuntime from './rules/prefer-runtime.js';
import requireExpiry from './rules/require-expiry.js';
import requireRelease from './rules/require-release.js';
import requireUniqueToken from './rules/require-unique-token.js';
import requireWriteGuard from './rules/require-write-guard.js';
import { NAME, VERSION } from './version.js';

const rules: Readonly<Record<string, LockproofRule>> = {
  'no-blind-release': noBlindRelease,
  'no-blind-renew': noBlindRenew,
  'no-delete-after-lost': noDeleteAfterLost,
  'no-dialect-mismatch': noDialectMismatch,
  'no-get-then-del': noGetThenDel,
  'no-guessed-ttl': noGuessedTtl,
  'no-ignored-lease-loss': noIgnoredLeaseLoss,
  'no-release-without-acquire': noReleaseWithoutAcquire,
  'no-token-in-logs': noTokenInLogs,
  'no-unchecked-acquire': noUncheckedAcquire,
  'no-unchecked-release': noUncheckedRelease,
  'no-unguarded-script': noUnguardedScript,
  'prefer-runtime': preferRuntime,
  'require-expiry': requireExpiry,
  'require-release': requireRelease,
  'require-unique-token': requireUniqueToken,
  'require-write-guard': requireWriteGuard,
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

/** Types of `eslint` alone: what a user's project has. This file's types are the only ones in the package. */
interface Plugin {
  meta: { name: string; version: string; namespace: string };
  rules: Record<string, Rule.RuleModule>;
  configs: Record<'recommended' | 'strict' | 'all' | 'lua', Linter.Config>;
  languages: Languages;
}

type Languages = NonNullable<ESLint.Plugin['languages']>;

const plugin: Plugin = {
  meta: { name: NAME, version: VERSION, namespace: 'lockproof' },
  rules: Object.fromEntries(Object.entries(rules).map(([rule, { module }]) => [rule, module])),
  configs: {
    recommended: config('recommended'),
    strict: config('strict'),
    all: config('all'),
    lua: {
      ...config('recommended'),
      name: 'lockproof/lua',
      files: ['**/*.lua'],
      language: 'lockproof/lua',
      rules: { 'lockproof/no-unguarded-script': 'error' },
    },
  },
  // ESLint's own type of a language is wider than what is needed of one.
  languages: { lua: luaLanguage as unknown as Languages[string] },
};

export { plugin as default, plugin as 'module.exports' };
