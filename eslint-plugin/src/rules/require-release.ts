import { defineRule } from '../define-rule.js';
import { releaseInFinally } from '../fixes/finally.js';
import { lineOf, quote } from '../messages.js';
import { isProtected, leavingBetween } from '../model/flows.js';
import { pathTo } from '../model/guards.js';
import { functionOf } from '../model/ast.js';

export default defineRule<'leavesLocked' | 'throwsLocked'>({
  name: 'require-release',
  docs: {
    description: 'require each way out of a function that takes and releases a lock to release it',
    descriptionZh: '要求在同一函数内加锁和释放时，每条退出路径都释放锁',
    config: 'strict',
  },
  fixable: false,
  messages: {
    leavesLocked:
      'This way out leaves {{key}} locked, although line {{line}} releases it on another: every other request waits for the TTL.',
    throwsLocked:
      '{{key}} is released at line {{line}} only when nothing throws in between: after an error every other request waits for the TTL. Release in a `finally`.',
  },
  check({ sourceCode, model, report }) {
    for (const { acquire, releases } of model.locks) {
      const [release] = releases;
      if (!release || functionOf(release.call) !== functionOf(acquire.call)) continue;
      const data = { key: quote(acquire.key.text), line: lineOf(release.call) };
      if (releases.some((r) => pathTo(r.call, functionOf(acquire.call)) === 'finally')) continue;
      const repair = releaseInFinally(sourceCode, acquire, releases);
      const way = leavingBetween(sourceCode, acquire, release);
      if (way && !releases.some((r) => isProtected(way, r.call))) {
        report({ node: way, messageId: 'leavesLocked', data, repair });
      } else if (awaitsBetween(sourceCode.text, acquire.call.range[1], release.call.range[0])) {
        report({ node: acquire.call, messageId: 'throwsLocked', data, repair });
      }
    }
  },
});

/** Is anything awaited between the two, so that it may reject? The `await` of the release itself is not meant. */
const awaitsBetween = (text: string, from: number, to: number): boolean =>
  /\bawait\b/.test(text.slice(from, to).replace(/\bawait\s*$/, ''));
