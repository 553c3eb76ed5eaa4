import { defineRule } from '../define-rule.js';
import { setWithExpiry } from '../fixes/expiry.js';
import { lineOf, quote } from '../messages.js';
import { expiryAfter, hasTtl } from '../model/expiry.js';

export default defineRule<'missingExpiry' | 'nonAtomicExpiry'>({
  name: 'require-expiry',
  docs: {
    description: 'require a TTL on each lock, set by the command that takes it',
    descriptionZh: '要求每把锁都有 TTL，并由加锁的那条命令一起设置',
    config: 'recommended',
  },
  fixable: true,
  messages: {
    missingExpiry:
      '{{key}} is taken without a TTL: when the process dies before the release at line {{line}}, nobody gets this lock again.',
    nonAtomicExpiry:
      '{{key}} is taken here and gets its TTL by another command at line {{line}}: when the process dies in between, nobody gets this lock again.',
  },
  check({ sourceCode, model, report }) {
    for (const lock of model.locks) {
      const { command, key } = lock.acquire;
      if (!command || (command.op !== 'set' && command.op !== 'setnx') || hasTtl(command)) continue;
      const expiry = expiryAfter(model.file, lock.acquire);
      const line = lineOf(expiry?.call ?? lock.releases[0]?.call ?? command.call);
      report({
        node: command.call,
        ...(expiry ? { until: expiry.call } : {}),
        messageId: expiry ? 'nonAtomicExpiry' : 'missingExpiry',
        data: { key: quote(key.text), line },
        repair: expiry ? setWithExpiry(sourceCode, lock.acquire, expiry) : null,
      });
    }
  },
});
