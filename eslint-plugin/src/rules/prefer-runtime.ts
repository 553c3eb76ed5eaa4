import { defineRule } from '../define-rule.js';
import { repairLock } from '../fixes/lease.js';
import { describeAcquire } from '../messages.js';
import { hasTtl } from '../model/expiry.js';
import { tokenOf } from '../model/tokens.js';

export default defineRule<'handWritten'>({
  name: 'prefer-runtime',
  docs: {
    description: 'prefer the runtime to a correct hand-written lock',
    descriptionZh: '优先使用运行时，而不是手写的（正确的）锁',
    config: 'all',
    level: 'warn',
  },
  fixable: false,
  messages: {
    handWritten:
      'This hand-written lock of {{key}} compares its token, but nobody hears when the lease runs out while the work goes on: `withLock` of lockproof renews it and aborts the work.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const lock of model.locks) {
      const { command, value } = lock.acquire;
      if (command?.op !== 'set' || !value || !hasTtl(command)) continue;
      const right =
        lock.releases.length > 0 &&
        lock.releases.every(({ kind }) => kind === 'script' || kind === 'native' || kind === 'watched');
      const token = tokenOf(sourceCode, value).kind;
      if (!right || (token !== 'unique' && token !== 'unknown')) continue;
      report({
        node: command.call,
        messageId: 'handWritten',
        data: describeAcquire(sourceCode, lock),
        repair: repairLock({ sourceCode, filename, model, lock, swapCorrect: true }),
      });
    }
  },
});
