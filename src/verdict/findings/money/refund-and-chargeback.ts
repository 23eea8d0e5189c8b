import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { refundsBy } from './duplicates.ts';
import { formatMoney } from '../../phrases.ts';

/** A sale that the cardholder disputed was refunded after that, so the money can go back twice. */
export const refundAndChargeback: FindingRule = {
  id: 'refund-and-chargeback',
  severity: 'high',
  about:
    'A sale that the cardholder disputed was refunded after that, so the money can go back twice.',
  remedy: 'Look whether a dispute is open before refunding.',
  find: refundsAndChargebacks,
};

function* refundsAndChargebacks(evidence: Evidence): Generator<Detection> {
  for (const entry of evidence.of('sale.refund')) {
    const [made = ''] = refundsBy(evidence, entry);
    const refund = evidence.records.refunds.get(made);
    const sale = refund && evidence.records.sales.get(refund.of.id);
    if (refund === undefined || (sale?.dispute !== 'open' && sale?.dispute !== 'lost')) continue;
    const opened = evidence
      .transfersOf(sale.paymentId)
      .find(({ cause, subject }) => cause === 'chargeback' && subject === sale.id);
    // Nobody can look for a dispute that comes after the refund.
    if (opened === undefined || refund.createdAtMs < opened.atMs) continue;
    yield {
      what: `${formatMoney(refund.amount)} was refunded of sale ${sale.id}, whose dispute is ${sale.dispute}.`,
      evidence: [entry],
      purchase: evidence.purchaseLookup.byPayment(sale.paymentId),
    };
  }
}
