import { defineRule } from '../define-rule.js';
import { repairLock } from '../fixes/lease.js';
import { describeRelease, eachRelease } from '../messages.js';

export default defineRule<'blindDelete'>({
  name: 'no-blind-release',
  docs: {
    description: 'disallow DEL or UNLINK of a lock without an ownership check',
    descriptionZh: '禁止不检查归属就对锁执行 DEL 或 UNLINK',
    config: 'recommended',
  },
  fixable: true,
  messages: {
    blindDelete:
      'This deletes {{key}} without a look at its owner: when request A works past the TTL of the lock taken at line {{line}} and B takes it, A deletes the lock of B here.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const { lock, release } of eachRelease(model, 'blind')) {
      report({
        node: release.call,
        messageId: 'blindDelete',
        data: describeRelease(lock, release),
        repair: repairLock({ sourceCode, filename, model, lock }),
      });
    }
  },
});
