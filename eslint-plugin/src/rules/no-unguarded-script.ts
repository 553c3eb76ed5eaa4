import { defineRule } from '../define-rule.js';
import { findingsInFile } from '../lua-language/findings.js';
import { guardScriptRelease } from '../fixes/release.js';
import { effectName, isBuilt, keyName } from '../lua/findings.js';
import type { Effect } from '../lua/verdict.js';
import { quote } from '../messages.js';
import { unguardedEffects } from '../model/script-findings.js';

type MessageId = 'unguardedScript' | 'builtKey';

const describe = (effect: Effect): Record<string, string> => ({
  command: effect.command,
  key: quote(keyName(effect)),
  effect: effectName(effect),
});

const messageOf = (effect: Effect): MessageId => (isBuilt(effect) ? 'builtKey' : 'unguardedScript');

export default defineRule<MessageId>({
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
    builtKey:
      'This script runs {{command}} on {{key}} whoever holds it, so A {{effect}} the lock of B; and since the key is made in the script and not passed in KEYS, a Cluster may run it on the wrong node.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const { node, loc, effect, command, stored, isAlone } of unguardedEffects(model)) {
      const [keyNode] = command.keys;
      const isRelease = isAlone && keyNode && effectName(effect) === 'deletes' && !isBuilt(effect);
      const repair = isRelease
        ? guardScriptRelease({ sourceCode, filename, release: { command, keyNode, check: null } }, stored)
        : null;
      report({ node, loc, messageId: messageOf(effect), data: describe(effect), repair });
    }
  },
  checkLua({ text, filename, report }) {
    for (const effect of findingsInFile(text, filename)) {
      report({ range: effect.range, messageId: messageOf(effect), data: describe(effect) });
    }
  },
});
