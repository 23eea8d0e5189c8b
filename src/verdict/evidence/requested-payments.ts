/** Requests to pay together with the payment they created. */
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import type { JournalIndex } from './journal-index.ts';
import { paymentAsRequested } from './request-fields.ts';

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
