import { defineRule } from '../define-rule.js';
import { repairScriptRelease } from '../fixes/release.js';
import { describeRelease, eachRelease } from '../messages.js';
import { replyOf } from '../model/replies.js';

export default defineRule<'uncheckedRelease'>({
  name: 'no-unchecked-release',
  docs: {
    description: 'require the reply of a compare-and-delete to be looked at',
    descriptionZh: '要求查看“比较并删除”的返回值',
    config: 'recommended',
    level: 'warn',
  },
  fixable: true,
  messages: {
    uncheckedRelease:
      'The reply of this release of {{key}} is dropped: a 0 says that the lock was lost before the work ended and that another request may have worked at the same time, and nobody hears of it.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const kind of ['script', 'native'] as const) {
      for (const { lock, release } of eachRelease(model, kind)) {
        if (!release.command || release.command.queued) continue;
        const reply = replyOf(sourceCode, release.command);
        if (reply.use !== 'discarded' && reply.use !== 'unread') continue;
        report({
          node: release.call,
          messageId: 'uncheckedRelease',
          data: describeRelease(lock, release),
          repair: reply.use === 'discarded' ? repairScriptRelease({ sourceCode, filename, release }) : null,
        });
      }
    }
  },
});
