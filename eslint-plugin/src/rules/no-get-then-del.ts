import { defineRule } from '../define-rule.js';
import { repairComparedRelease } from '../fixes/release.js';
import { describeRelease, eachRelease } from '../messages.js';

export default defineRule<'compareInClient'>({
  name: 'no-get-then-del',
  docs: {
    description: 'disallow GET, compare in the client, then DEL as the release of a lock',
    descriptionZh: '禁止用“GET、在客户端比较、再 DEL”来释放锁',
    config: 'recommended',
  },
  fixable: true,
  messages: {
    compareInClient:
      '{{key}} can expire between the GET at line {{get}} and this DEL: request A still sees its own token, B takes the lock, and A deletes the lock of B here.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const { lock, release } of eachRelease(model, 'compared')) {
      report({
        node: release.call,
        messageId: 'compareInClient',
        data: {
          ...describeRelease(lock, release),
          get: String(release.check?.get.call.loc.start.line ?? ''),
        },
        repair: repairComparedRelease({ sourceCode, filename, release }),
      });
    }
  },
});
