/** A config with one tiny rule, for what the engine does around any rule: it reports each call of `del`. */
import type { Linter, Rule } from 'eslint';

const noDel: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { url: 'https://example.org/no-del' },
    fixable: 'code',
    hasSuggestions: true,
    schema: [],
    messages: { found: 'a call of del', suggested: 'Call unlink.' },
  },
  create(context) {
    return {
      'CallExpression > MemberExpression > Identifier[name="del"]'(node: Rule.Node) {
        const fix = (fixer: Rule.RuleFixer) => fixer.replaceText(node, 'unlink');
        context.report({ node, messageId: 'found', fix, suggest: [{ messageId: 'suggested', fix }] });
      },
    };
  },
};

export const standInConfig: Linter.Config = {
  plugins: { lockproof: { rules: { 'no-del': noDel } } },
  rules: { 'lockproof/no-del': 'warn' },
};
