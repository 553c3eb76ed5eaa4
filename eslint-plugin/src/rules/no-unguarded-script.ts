import { defineRule } from '../define-rule.js';
import { unguardedEffects } from '../model/script-findings.js';

export default defineRule<'unguardedScript'>({
  name: 'no-unguarded-script',
  docs: {
    description: 'disallow Lua lock scripts that delete or extend without comparing the owner',
    descriptionZh: '禁止不比较持有者就删除或续期的 Lua 锁脚本',
    config: 'recommended',
  },
  fixable: false,
  messages: {
    unguardedScript:
      'This script runs {{command}} on {{key}} whoever holds it: when request A has lost the lock and B holds it, A {{effect}} the lock of B.',
  },
  check({ model, report }) {
    for (const finding of unguardedEffects(model)) {
      report({
        node: finding.node,
        loc: finding.loc,
        messageId: 'unguardedScript',
        data: { command: finding.command, key: finding.key, effect: finding.effect },
      });
    }
  },
});
