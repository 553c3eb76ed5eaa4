import { defineRule } from '../define-rule.js';
import { rightUnit } from '../fixes/unit.js';
import { quote } from '../messages.js';
import { literalTtl } from '../model/ttl.js';

export default defineRule<'wrongUnit' | 'tooLong' | 'tooShort'>({
  name: 'no-guessed-ttl',
  docs: {
    description: 'disallow TTLs in the wrong unit, too long without renewal, or below the measured P99',
    descriptionZh: '禁止单位写错、无续期却过长、或低于实测 P99 的 TTL',
    config: 'strict',
  },
  fixable: false,
  options: {
    maxTtlMs: {
      schema: {
        type: 'integer',
        minimum: 100,
        description: 'The longest literal TTL, in milliseconds, of a lock that is not renewed.',
      },
      default: 300_000,
    },
    p99Ms: {
      schema: {
        type: 'integer',
        minimum: 0,
        description: 'The measured P99 of the work, in milliseconds; 0 when it was not measured.',
      },
      default: 0,
    },
  },
  messages: {
    wrongUnit: '{{ttl}} after {{unit}} is {{meant}}: {{consequence}}.',
    tooLong:
      'Nothing renews this lock of {{key}}: when its holder dies, every other request waits up to {{ms}} ms. Renew a short TTL, or set one of at most {{max}} ms.',
    tooShort:
      'The TTL of {{key}} is {{ms}} ms and the P99 of the work {{p99}} ms: more than one request in a hundred works on after it has lost the lock.',
  },
  check({ sourceCode, model, options, report }) {
    const max = Number(options.maxTtlMs);
    const p99 = Number(options.p99Ms);
    for (const lock of model.locks) {
      const ttl = literalTtl(sourceCode, lock.acquire.command);
      if (!ttl) continue;
      const data = {
        key: quote(lock.acquire.key.text),
        ms: String(ttl.ms),
        max: String(max),
        p99: String(p99),
      };
      if (ttl.slip) {
        report({
          node: ttl.node,
          messageId: 'wrongUnit',
          data: {
            ...data,
            ttl: sourceCode.getText(ttl.node),
            unit: ttl.unit === 's' ? 'EX' : 'PX',
            ...ttl.slip,
          },
          repair: rightUnit(ttl),
        });
      } else if (p99 > 0 && ttl.ms < p99) report({ node: ttl.node, messageId: 'tooShort', data });
      else if (ttl.ms > max && lock.renewals.length === 0)
        report({ node: ttl.node, messageId: 'tooLong', data });
    }
  },
});
