import type { FindingRule, Detection } from '../finding-rule.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import { stepsOf, memberAlong } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { indexAfter } from '../../evidence/exchange-order.ts';
import { describePurchase } from '../../phrases.ts';
import { memoize } from '../../evidence/journal-index.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { restoreId } from '../../../outcomes/effects/long-id-dialect.ts';
import type { Charge } from '../../purchases/charge.ts';

/** A payment was taken for paid although its sale holds no money. */
export const saleNotChecked: FindingRule = {
  id: 'sale-not-checked',
  severity: 'high',
  about: 'A payment was taken for paid although its sale holds no money.',
  remedy: 'Look at the state of the sale in the answer: only `completed` is paid.',
  find: uncheckedSales,
};

const reading: ReadonlySet<OperationName> = new Set(['payment.get', 'sale.get']);

const refunding: ReadonlySet<OperationName> = new Set(['sale.refund']);

const deleting: ReadonlySet<OperationName> = new Set(['card.delete']);

const toState = stepsOf('transactions[0].related_resources[0].sale.state');

/** Goods that were sent: nobody deletes the card of a purchase that may still be settled. */
function* uncheckedSales(evidence: Evidence): Generator<Detection> {
  const unsettled = evidence.charges.filter(isUnsettled);
  if (unsettled.length === 0) return;
  const makers = new Set(unsettled.map(({ entry }) => entry));
  const next = (record: string | undefined, after: StoredEntry, of: ReadonlySet<OperationName>) => {
    const about = record === undefined ? [] : evidence.about(record, of);
    return about[indexAfter(about, after.seq)];
  };
  for (const purchase of evidence.purchases) {
    if (!purchase.attempts.some((entry) => makers.has(entry))) continue;
    const [charge, ...others] = purchase.charges;
    if (charge === undefined || !isUnsettled(charge)) continue;
    if (others.some(({ retainedMinor }) => retainedMinor > 0)) continue;
    const { id, paymentId, cardId, entry } = charge;
    const goneOn = next(id, entry, refunding) ?? next(cardId, entry, deleting);
    if (goneOn === undefined) continue;
    const wasRead =
      next(id, entry, reading) !== undefined ||
      next(paymentId, entry, reading) !== undefined ||
      listedIds(evidence).has(id);
    if (wasRead) continue;
    // Nothing comes of a sale that was denied, and whoever was told so has no more use for the card.
    const wasDenied = memberAlong(evidence.answerOf(entry), toState) === 'denied';
    if (wasDenied && goneOn.operation === 'card.delete') continue;
    yield {
      what: `The sale of ${describePurchase(purchase)} is ${charge.state}, and the client went on as if it were paid.`,
      evidence: [entry, goneOn],
      purchase,
      confidence: 'possible',
    };
  }
}

/** Every id that a list has shown to the client. */
const listedIds = memoize(
  (evidence: Evidence): ReadonlySet<string> =>
    new Set(
      evidence
        .of('payment.list')
        .filter(isAnswerReceived)
        .flatMap(({ shownIds }) => shownIds.map(restoreId)),
    ),
);

function isUnsettled({ state }: Charge): boolean {
  return state === 'pending' || state === 'denied';
}
