import type { Evidence } from '../../evidence/evidence.ts';
import { formatMoney } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { refundsCreatedBy } from './duplicates.ts';

/** Finds refunds of sales that the cardholder had already disputed. */
export const refundAndChargeback: FindingRule = {
  id: 'refund-and-chargeback',
  severity: 'high',
  about: 'A disputed sale was refunded, so the cardholder can receive the money twice.',
  remedy: 'Check whether a dispute is open before you refund a sale.',
  find: findRefundsOfDisputedSales,
};

function* findRefundsOfDisputedSales(evidence: Evidence): Generator<Detection> {
  for (const entry of evidence.of('sale.refund')) {
    const [refundId = ''] = refundsCreatedBy(evidence, entry);
    const refund = evidence.records.refunds.get(refundId);
    const sale = refund && evidence.records.sales.get(refund.of.id);
    if (refund === undefined || (sale?.dispute !== 'open' && sale?.dispute !== 'lost')) continue;
    const chargeback = evidence
      .transfersOf(sale.paymentId)
      .find(({ cause, subject }) => cause === 'chargeback' && subject === sale.id);
    // A client cannot know of a dispute that opens after the refund.
    if (chargeback === undefined || refund.createdAtMs < chargeback.atMs) continue;
    yield {
      what: `Sale ${sale.id} was refunded by ${formatMoney(refund.amount)} after the cardholder had disputed it. The dispute is ${sale.dispute}.`,
      evidence: [entry],
      purchase: evidence.purchaseLookup.byPayment(sale.paymentId),
    };
  }
}
