import { defineRule } from '../define-rule.js';
import { lineOf, quote } from '../messages.js';
import { unguardedWrites } from '../model/writes.js';

export default defineRule<'unguardedWrite'>({
  name: 'require-write-guard',
  docs: {
    description: 'require a write under a lock to have a condition of its own in the database',
    descriptionZh: '要求锁内的数据库写操作自带条件（条件更新、版本号或防护序号）',
    config: 'strict',
  },
  fixable: false,
  messages: {
    unguardedWrite:
      'This write trusts the lock of {{key}} (line {{line}}) alone: a request that lost the lock overwrites what the next holder wrote. Add a condition: stock, version or fence.',
  },
  check({ model, report }) {
    for (const { call, lock } of unguardedWrites(model)) {
      report({
        node: call,
        messageId: 'unguardedWrite',
        data: { key: quote(lock.acquire.key.text), line: lineOf(lock.acquire.call) },
      });
    }
  },
});
