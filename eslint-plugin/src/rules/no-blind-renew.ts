import { defineRule } from '../define-rule.js';
import { repairRenewal } from '../fixes/renewal.js';
import { eachRenewal, lineOf, quote } from '../messages.js';

export default defineRule<'blindRenew' | 'compareThenRenew'>({
  name: 'no-blind-renew',
  docs: {
    description:
      'disallow EXPIRE, PEXPIRE or SET XX of a held lock without comparing the token in the same step',
    descriptionZh: '禁止续期（EXPIRE、PEXPIRE、SET XX）时不在同一步内比较令牌',
    config: 'recommended',
  },
  fixable: false,
  messages: {
    blindRenew:
      'This extends {{key}} without a look at its owner: when request A has lost the lock and B holds it, A keeps the lock of B alive here and works on beside B.',
    compareThenRenew:
      '{{key}} can change hands between the GET at line {{get}} and this renewal: request A still sees its own token and extends the lock of B.',
  },
  check({ sourceCode, filename, model, report }) {
    for (const { lock, renewal } of eachRenewal(model, ['blind', 'compared'])) {
      report({
        node: renewal.call,
        messageId: renewal.check ? 'compareThenRenew' : 'blindRenew',
        data: { key: quote(renewal.key.text), get: renewal.check ? lineOf(renewal.check.get.call) : '' },
        repair: repairRenewal({ sourceCode, filename, lock, renewal }),
      });
    }
  },
});
