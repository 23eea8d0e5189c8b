import type { OperationName } from '../../../contract/service/operation-name.ts';
import { firstRefundDisclosures } from '../../client-knowledge/disclosed-before-retry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { findRefusalAfter } from '../../evidence/exchange-results.ts';
import { findCharge } from '../../evidence/records.ts';
import { formatMoney, formatTime } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import {
  adviseOnSameId,
  describeRequestId,
  findExecutedAgain,
  reconcileRefunds,
  refundsCreatedBy,
} from './duplicates.ts';

/** Finds refunds that returned money and whose id no answer disclosed to the client. */
export const orphanedRefund: FindingRule = {
  id: 'orphaned-refund',
  severity: 'critical',
  about: 'Money was refunded, and the client never learned of it.',
  remedy:
    'After a lost or unreadable answer, repeat the refund with the same PayPal-Request-Id or read the refunds of the sale.',
  needsWholeJournal: true,
  find: findOrphanedRefunds,
};

const refundRequests: ReadonlySet<OperationName> = new Set(['sale.refund', 'capture.refund']);

function* findOrphanedRefunds(evidence: Evidence): Generator<Detection> {
  const created = evidence.of('sale.refund', 'capture.refund').flatMap((entry) =>
    refundsCreatedBy(evidence, entry)
      // The answer to the request discloses its refund, but not a second one that a proxy caused.
      .filter((id) => entry.concludes !== 'OK' || id !== entry.subject)
      .flatMap((id) => {
        const refund = evidence.records.refunds.get(id);
        return refund === undefined ? [] : [{ entry, refund }];
      }),
  );
  const disclosed = firstRefundDisclosures(
    evidence,
    new Set(created.map(({ refund }) => refund.id)),
  );
  for (const { entry, refund } of created) {
    if (disclosed.has(refund.id)) continue;
    const requests = evidence.about(refund.of.id, refundRequests);
    const refusal = findRefusalAfter(requests, entry, 'already-refunded');
    // Nothing is left to refund: that tells the client of a refund of the whole amount.
    const charged = findCharge(evidence.records, refund.of.id)?.amount;
    if (refusal !== undefined && charged?.minor === refund.amount.minor) continue;
    const isTwin = entry.concludes === 'OK';
    const again = findExecutedAgain(requests, entry);
    const retry = again === undefined ? '' : ` The retry ${describeRequestId(entry, again)}.`;
    yield {
      what: () =>
        `${formatMoney(refund.amount)} of ${refund.of.kind} ${refund.of.id} was refunded at ${formatTime(refund.createdAtMs)}${isTwin ? ' a second time by one request, which something on the way to the service sent again' : ''}, and the client never learned of it: no answer that it received contains refund ${refund.id}.${retry}`,
      evidence: refusal === undefined ? [entry] : [entry, refusal],
      purchase: evidence.purchaseLookup.byPayment(refund.paymentId),
      ...(again !== undefined && adviseOnSameId({ makers: [entry, again], areDoubled: false })),
      ...(isTwin && { remedy: reconcileRefunds }),
      ...(refusal !== undefined && { severity: 'high', confidence: 'likely' }),
    };
  }
}
