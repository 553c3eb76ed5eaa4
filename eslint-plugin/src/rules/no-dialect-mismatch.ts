import { defineRule } from '../define-rule.js';
import { inArray, respell } from '../fixes/dialect.js';
import { quote } from '../messages.js';
import { forgottenKeys, mismatchOf } from '../model/dialects.js';

export default defineRule<'otherDialect' | 'onlyFirstKey'>({
  name: 'no-dialect-mismatch',
  docs: {
    description: "disallow SET options in another library's spelling, which the client ignores or refuses",
    descriptionZh: '禁止使用其他客户端库的 SET 选项写法（会被忽略或拒绝）',
    config: 'recommended',
  },
  fixable: true,
  messages: {
    onlyFirstKey:
      '{{library}} takes several keys as an array: this call deletes {{first}} alone, and the rest stays without a word.',
    otherDialect: '{{library}} does not read {{spelling}}: this SET of {{key}} is {{effect}}.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const command of model.file.commands) {
      const forgotten = forgottenKeys(sourceCode, filename, command);
      if (forgotten) {
        const data = { library: forgotten.library, first: quote(sourceCode.getText(forgotten.first)) };
        report({ node: command.call, messageId: 'onlyFirstKey', data, repair: inArray(sourceCode, command) });
      }
      const mismatch = mismatchOf(sourceCode, filename, command);
      if (!mismatch) continue;
      report({
        node: command.call,
        messageId: 'otherDialect',
        data: {
          library: mismatch.library,
          spelling: quote(mismatch.spelling),
          effect: mismatch.effect,
          key: quote(command.keys[0] ? sourceCode.getText(command.keys[0]) : ''),
        },
        repair: respell(sourceCode, command, mismatch),
      });
    }
  },
});
