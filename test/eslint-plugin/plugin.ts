import type { Rule } from 'eslint';
import plugin from 'eslint-plugin-lockproof';

export { plugin };

/** A rule of the built plugin by its name. */
export function ruleNamed(name: string): Rule.RuleModule {
  const rule = plugin.rules[name];
  if (!rule) throw new Error(`no rule ${name}`);
  return rule;
}
