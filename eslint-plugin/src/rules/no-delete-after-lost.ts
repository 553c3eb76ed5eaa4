import { defineRule } from '../define-rule.js';
import { keepLostLock } from '../fixes/statement.js';
import { eachRelease, lineOf, quote } from '../messages.js';

export default defineRule<'deleteAfterLost'>({
  name: 'no-delete-after-lost',
  docs: {
    description: 'disallow DEL of a lock because, or after, its release answered 0',
    descriptionZh: '禁止在释放返回 0 之后再对锁执行 DEL',
    config: 'recommended',
  },
  fixable: true,
  messages: {
    deleteAfterLost:
      'The release at line {{line}} compares the token, this DEL of {{key}} does not: after a 0 request B may hold the lock, and A deletes the lock of B here.',
  },
  check({ sourceCode, model, report }) {
    for (const { release } of eachRelease(model, 'afterLost')) {
      report({
        node: release.call,
        messageId: 'deleteAfterLost',
        data: { key: quote(release.key.text), line: release.lost ? lineOf(release.lost.call) : '' },
        repair: keepLostLock(sourceCode, release),
      });
    }
  },
});
