import { defineRule } from '../define-rule.js';
import { askInLoops, stopRenewal, throwWhenLost } from '../fixes/loss.js';
import { lineOf, quote } from '../messages.js';
import { deafLoops, droppedRenewals, endlessRenewals, swallowedExtensions } from '../model/losses.js';

type MessageId = 'droppedRenewal' | 'endlessRenewal' | 'swallowedLoss' | 'deafLoop';

export default defineRule<MessageId>({
  name: 'no-ignored-lease-loss',
  docs: {
    description: 'require a failed renewal to stop the work that it was for',
    descriptionZh: '要求续期失败时停止正在进行的工作',
    config: 'recommended',
  },
  fixable: false,
  options: {
    checkLoops: {
      schema: {
        type: 'boolean',
        description:
          'Also report work under a lock that writes in a loop and never reads `signal` or `throwIfLost()`.',
      },
      default: false,
      strict: true,
    },
  },
  messages: {
    droppedRenewal:
      'Nobody hears when this renewal of {{what}} fails: request A works on after it has lost the lock, beside request B that holds it now.',
    endlessRenewal:
      'Nothing stops this timer: it renews on after the lock was given back, and after it was lost.',
    swallowedLoss:
      'The error that says that {{what}} was lost ends here in a log: request A works on beside request B that holds the lock now.',
    deafLoop:
      'This work writes in a loop under a lock that can be lost, and never looks at `signal` or `throwIfLost()`: after a loss it writes on beside the next holder.',
  },
  check({ sourceCode, model, options, report }) {
    for (const loss of [...droppedRenewals(model), ...swallowedExtensions(model.file)]) {
      report({
        node: loss.call,
        messageId: loss.how === 'swallowed' ? 'swallowedLoss' : 'droppedRenewal',
        data: { what: quote(loss.what) },
        repair: throwWhenLost(sourceCode, loss),
      });
    }
    for (const { timer, releases } of endlessRenewals(model)) {
      const repair = stopRenewal(sourceCode, timer, releases);
      report({ node: timer, messageId: 'endlessRenewal', data: {}, repair });
    }
    if (options.checkLoops !== true) return;
    for (const { call, library } of deafLoops(model.file)) {
      const repair = askInLoops(sourceCode, call, library);
      report({ node: call, messageId: 'deafLoop', data: { line: lineOf(call) }, repair });
    }
  },
});
