import { defineRule } from '../define-rule.js';
import { repairLock } from '../fixes/lease.js';
import { describeAcquire, quote } from '../messages.js';
import { callSitesOf } from '../model/call-sites.js';
import { isReentrant } from '../model/ownership.js';
import type { Node } from '../types.js';
import { sharedToken, tokenOf, type Token, type WeakSource } from '../model/tokens.js';

type MessageId = 'fixedValue' | 'businessValue' | 'weakToken' | 'sharedToken';

const MESSAGE: Partial<Record<Token['kind'], MessageId>> = {
  fixed: 'fixedValue',
  business: 'businessValue',
  weak: 'weakToken',
  shared: 'sharedToken',
};

const SOURCE: Readonly<Record<WeakSource, string>> = {
  clock: 'the time of day',
  pid: 'the process id',
  host: 'the host name',
  random: 'Math.random() alone',
  counter: 'a counter',
};

export default defineRule<MessageId>({
  name: 'require-unique-token',
  docs: {
    description: 'require a random token of its own for each acquisition of a lock',
    descriptionZh: '要求每次加锁使用自己的随机令牌',
    config: 'recommended',
  },
  fixable: true,
  messages: {
    fixedValue:
      'Every request stores the same value {{value}} in {{key}}: when request A works past the TTL and B takes the lock, the release at line {{line}} runs for A and deletes the lock of B.',
    businessValue:
      '{{value}} names a thing and not this acquisition of {{key}}: a second request for the same thing counts as the owner, and the release at line {{line}} deletes its lock.',
    weakToken:
      '{{value}} comes from {{source}}, so two requests can store the same value in {{key}}, and the release at line {{line}} of the one deletes the lock of the other.',
    sharedToken:
      '{{value}} is made once at line {{made}} and stored by every acquisition of {{key}}: requests of one process count as one owner, and the release at line {{line}} of request A deletes the lock of B.',
  },
  check({ sourceCode, filename, model, report }) {
    const told = new Set<Node>();
    for (const lock of model.locks) {
      for (const site of callSitesOf(model.file, lock.acquire)) {
        if (told.has(site.call)) continue;
        const token = tokenOf(sourceCode, site.value, site.others);
        const messageId = MESSAGE[token.kind];
        if (!messageId || token.kind === 'shared') continue;
        told.add(site.call);
        const value = quote(sourceCode.getText(site.value));
        const source = token.kind === 'weak' ? SOURCE[token.source] : '';
        report({ node: site.call, messageId, data: { ...describeAcquire(sourceCode, lock), value, source } });
      }
      const { call, value, keyNode } = lock.acquire;
      if (!value) continue;
      const token = sharedToken(sourceCode, tokenOf(sourceCode, value, [keyNode]), call, [keyNode]);
      const messageId = MESSAGE[token.kind];
      if (!messageId || (token.kind === 'shared' && isReentrant(model, lock))) continue;
      report({
        node: call,
        messageId,
        data: {
          ...describeAcquire(sourceCode, lock),
          source: token.kind === 'weak' ? SOURCE[token.source] : '',
          made: token.kind === 'shared' ? String(token.site.loc.start.line) : '',
        },
        repair: repairLock({ sourceCode, filename, model, lock }),
      });
    }
  },
});
