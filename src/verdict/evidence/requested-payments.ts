/** Requests to pay together with the payment they created. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { keepWhere } from './group-by.ts';
import type { JournalIndex } from './journal-index.ts';
import { orderNamesIn } from './orders/order-names.ts';
import { orderNameOf } from './orders/order-words.ts';
import { customerIdOf } from './records.ts';
import { cardOf, customerIn, storedCardOf } from './request-fields.ts';

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

/** The requests that created a payment, oldest first. */
export const committedPayments = memoize((journal: JournalIndex) =>
  keepWhere(requestedPayments(journal), ({ entry }) => entry.committed),
);

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

/** The name of an order, and the customer and card that pay it, as a key; `undefined` without a name. */
export function orderAndPayerOf(
  journal: JournalIndex,
  { entry, payment }: PaymentRequest,
): string | undefined {
  const name = orderNameOf(payment.transaction);
  if (name === undefined) return undefined;
  const customer = customerIdOf(payment) ?? customerIn(journal, entry);
  return JSON.stringify([name, customer, storedCardOf(journal, entry) ?? cardOf(journal, entry)]);
}

/** The order, payer and amount of a request to pay, as a key, whether it charges or authorizes; `undefined` without a name. */
export function orderContentOf(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const payment = paymentAsRequested(journal, entry);
  if (payment === undefined) return undefined;
  const { amount, description } = payment.transaction;
  const order = orderAndPayerOf(journal, { entry, payment });
  return order && JSON.stringify([order, amount, description]);
}
