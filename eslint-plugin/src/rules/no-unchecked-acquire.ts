import { defineRule } from '../define-rule.js';
import { throwWhenBusy } from '../fixes/statement.js';
import { lineOf, quote } from '../messages.js';
import { brokenTest } from '../model/reply-tests.js';
import { replyOf } from '../model/replies.js';

type MessageId = 'uncheckedAcquire' | 'cannotFail' | 'invertedReply';

export default defineRule<MessageId>({
  name: 'no-unchecked-acquire',
  docs: {
    description: 'require the reply of an acquire to be tested, in a way that can fail',
    descriptionZh: '要求检查加锁的返回值，并且检查要有可能失败',
    config: 'recommended',
  },
  fixable: false,
  messages: {
    uncheckedAcquire:
      'Nobody looks at the reply of this acquire of {{key}}: when request B holds the lock, A works all the same, and its release at line {{line}} ends the lock of B.',
    cannotFail:
      'This test of the reply of the acquire of {{key}} (line {{line}}) is the same whether the lock was taken or not: {{reason}}.',
    invertedReply:
      'With GET the reply of this acquire of {{key}} is inverted: it is null when the lock was taken and the value of the holder when it was not, so this test lets the wrong request in.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const lock of model.locks) {
      const { command, key } = lock.acquire;
      if (!command || (command.op !== 'set' && command.op !== 'setnx') || !command.options.nx) continue;
      const reply = replyOf(sourceCode, command);
      const data = { key: quote(key.text), line: lineOf(lock.releases[0]?.call ?? command.call) };
      if (reply.use === 'discarded' || reply.use === 'unread') {
        const repair = reply.use === 'discarded' ? throwWhenBusy(sourceCode, lock.acquire) : null;
        report({ node: command.call, messageId: 'uncheckedAcquire', data, repair });
        continue;
      }
      const broken = brokenTest(sourceCode, filename, command);
      if (!broken) continue;
      const messageId = broken.inverted ? 'invertedReply' : 'cannotFail';
      report({
        node: command.call,
        messageId,
        data: { ...data, line: lineOf(command.call), reason: broken.reason },
      });
    }
  },
});
