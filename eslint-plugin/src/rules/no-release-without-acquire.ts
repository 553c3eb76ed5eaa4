import { defineRule } from '../define-rule.js';
import { acquireBeforeTry } from '../fixes/order.js';
import { describeRelease } from '../messages.js';
import { finallyWithoutAcquire } from '../model/flows.js';

export default defineRule<'releaseWithoutAcquire'>({
  name: 'no-release-without-acquire',
  docs: {
    description: 'disallow a `finally` that releases a lock which was not taken',
    descriptionZh: '禁止在没有拿到锁时也会执行释放的 finally',
    config: 'recommended',
  },
  fixable: false,
  messages: {
    releaseWithoutAcquire:
      'This `finally` also runs when the acquire at line {{line}} found {{key}} held: request A, which was refused, deletes the lock of B.',
  },
  check({ sourceCode, model, report }) {
    for (const lock of model.locks) {
      for (const release of lock.releases) {
        if (release.kind !== 'blind') continue;
        const region = finallyWithoutAcquire(sourceCode, lock.acquire, release);
        if (!region) continue;
        report({
          node: release.call,
          messageId: 'releaseWithoutAcquire',
          data: describeRelease(lock, release),
          repair: acquireBeforeTry(sourceCode, lock.acquire, region),
        });
      }
    }
  },
});
