/** May two equal holds for one order stand for two parts of it? */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { numberPartsOf } from '../../evidence/key-parts.ts';
import { orderNameOf } from '../../evidence/orders/order-words.ts';
import {
  orderAndPayerOf,
  paymentAsRequested,
  requestedPayments,
  type PaymentRequest,
} from '../../evidence/requested-payments.ts';
import { isReversedBefore } from '../reversal.ts';

/**
 * Whether two holds may be parts of one order: their request ids number its parts, or they add to a larger hold, as when a
 * guest stays longer.
 */
export function mayHoldParts(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  const payment = paymentAsRequested(journal, first);
  const other = paymentAsRequested(journal, again);
  if (payment?.intent !== 'authorize' || other?.intent !== 'authorize') return false;
  const name = orderNameOf(payment.transaction);
  if (name === undefined) return false;
  return numberPartsOf(name, first, again) || isTopUp(journal, { entry: first, payment });
}

/** Whether a hold is smaller than the first one for its order, which the client did not release before. */
function isTopUp(journal: JournalIndex, hold: PaymentRequest): boolean {
  const { entry } = hold;
  const first = firstHolds(journal).get(orderAndPayerOf(journal, hold));
  if (first === undefined || isReversedBefore(journal, first, entry)) return false;
  const [one, added] = [first, entry].map(({ subject }) => amountHeldBy(journal, subject));
  return one?.currency === added?.currency && (added?.minor ?? 0) < (one?.minor ?? 0);
}

/** The first request that put money on hold for each order, by the order and its payer. */
const firstHolds = memoize((journal: JournalIndex) => {
  const first = new Map<string | undefined, StoredEntry>();
  for (const request of requestedPayments(journal)) {
    if (request.payment.intent !== 'authorize') continue;
    const order = orderAndPayerOf(journal, request);
    if (!first.has(order)) first.set(order, request.entry);
  }
  return first;
});

function amountHeldBy({ records }: JournalIndex, paymentId = '') {
  const hold = records.payments.get(paymentId)?.related.first?.id ?? '';
  return records.authorizations.get(hold)?.amount;
}
