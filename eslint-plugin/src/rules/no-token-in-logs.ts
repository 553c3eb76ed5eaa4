import { defineRule } from '../define-rule.js';
import { hashLogged } from '../fixes/logs.js';
import { quote } from '../messages.js';
import { loggedTokens } from '../model/logs.js';

export default defineRule<'loggedToken'>({
  name: 'no-token-in-logs',
  docs: {
    description: 'disallow a full lock token in a log',
    descriptionZh: '禁止把完整的锁令牌写进日志',
    config: 'strict',
  },
  fixable: true,
  messages: {
    loggedToken:
      'Whoever reads this log can release {{key}} with {{token}}: log `hashToken({{token}})`, which tells tokens apart and unlocks nothing.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const { node, key } of loggedTokens(model)) {
      const token = sourceCode.getText(node);
      report({
        node,
        messageId: 'loggedToken',
        data: { key: quote(key), token },
        repair: hashLogged(sourceCode, filename, node),
      });
    }
  },
});
