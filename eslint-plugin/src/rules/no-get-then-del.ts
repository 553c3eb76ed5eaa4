import { defineRule } from '../define-rule.js';
import { repairComparedRelease } from '../fixes/release.js';
import { describeRelease, eachRelease } from '../messages.js';
import { hasOwnConnection } from '../model/releases.js';

export default defineRule<'compareInClient' | 'sharedWatch'>({
  name: 'no-get-then-del',
  docs: {
    description: 'disallow GET, compare in the client, then DEL as the release of a lock',
    descriptionZh: '禁止用“GET、在客户端比较、再 DEL”来释放锁',
    config: 'recommended',
  },
  fixable: true,
  options: {
    checkSharedWatch: {
      schema: {
        type: 'boolean',
        description: 'Also report WATCH, GET, MULTI, DEL, EXEC on a connection that others use as well.',
      },
      default: false,
      strict: true,
    },
  },
  messages: {
    sharedWatch:
      'WATCH of {{key}} belongs to a connection, and others use this one: their EXEC or UNWATCH in between clears it, and A deletes the lock of B here. Use a duplicate().',
    compareInClient:
      '{{key}} can expire between the GET at line {{get}} and this DEL: request A still sees its own token, B takes the lock, and A deletes the lock of B here.',
  },
  check({ sourceCode, filename, model, options, report }) {
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
    if (options.checkSharedWatch !== true) return;
    for (const { lock, release } of eachRelease(model, 'watched')) {
      if (hasOwnConnection(model.file, release)) continue;
      report({ node: release.call, messageId: 'sharedWatch', data: describeRelease(lock, release) });
    }
  },
});
