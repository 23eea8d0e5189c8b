/** Requests to pay together with the payment they created. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import type { JournalIndex } from './journal-index.ts';
import { orderNamesIn } from './orders/order-names.ts';

/** A request that created a payment, or repeats one that did. */
export interface PaymentRequest {
  readonly entry: StoredEntry;
  /** The payment with the names that it had at first. */
  readonly payment: Payment;
}

/** The requests that created a payment, or repeat one that did, oldest first. */
export const requestedPayments = memoize((journal: JournalIndex): readonly PaymentRequest[] => {
  const requests: PaymentRequest[] = [];
  for (const entry of journal.of('payment.create')) {
    const payment = paymentAsRequested(journal, entry);
    if (payment !== undefined) requests.push({ entry, payment });
  }
  return requests;
});

const updates: ReadonlySet<OperationName> = new Set(['payment.update']);

/**
 * A payment of a request, with the names that the request gave its order. A PATCH may have changed its invoice number or
 * `custom` since then. Otherwise the record tells, because the journal may have redacted a name.
 *
 * @param id Default: the id of the payment that the answer shows.
 */
export function paymentAsRequested(
  journal: JournalIndex,
  entry: StoredEntry,
  id = entry.subject ?? '',
): Payment | undefined {
  const payment = journal.records.payments.get(id);
  if (payment === undefined || journal.about(id, updates).length === 0) return payment;
  const transaction = { ...payment.transaction, ...orderNamesIn(journal, entry) };
  return { ...payment, transaction };
}
