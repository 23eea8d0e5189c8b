import { isChargedBack } from '../../../domain/payment/sale.ts';
import { firstAnswerShowingReversal } from '../../client-knowledge/bank-reversal.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { describeRequest, formatMoney } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { refundsCreatedBy } from './duplicates.ts';

/** Finds refunds of sales that the cardholder had already disputed. */
export const refundAndChargeback: FindingRule = {
  id: 'refund-and-chargeback',
  severity: 'high',
  about:
    'A sale was refunded after an answer had shown that its money went back in a dispute, so the cardholder can receive it twice.',
  remedy:
    'Do not refund a sale that is `reversed` with `reason_code` CHARGEBACK: the cardholder has the money already.',
  find: findRefundsOfDisputedSales,
};

function* findRefundsOfDisputedSales(evidence: Evidence): Generator<Detection> {
  for (const entry of evidence.of('sale.refund')) {
    const sale = evidence.records.sales.get(recordIdIn(entry) ?? '');
    if (sale === undefined || !isChargedBack(sale)) continue;
    const [refundId = ''] = refundsCreatedBy(evidence, entry);
    const refund = evidence.records.refunds.get(refundId);
    if (refund === undefined) continue;
    // A client cannot know of a dispute that opens after the refund, or that no answer has shown.
    const shown = firstAnswerShowingReversal(evidence, sale);
    if (shown === undefined || shown.seq > entry.seq) continue;
    yield {
      what: `Sale ${sale.id} was refunded by ${formatMoney(refund.amount)}, although ${describeRequest(shown)} had shown that the cardholder had disputed it and the bank had taken the money back. The dispute is ${sale.dispute}.`,
      evidence: [shown, entry],
      purchase: evidence.purchaseLookup.byPayment(sale.paymentId),
      excessRefunds: [refund.id],
    };
  }
}
