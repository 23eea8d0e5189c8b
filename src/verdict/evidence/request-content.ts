/** Do two requests ask for the same? The content of a request is all that it asks for, as a key. */
import { formatMinor } from '../../domain/money/money.ts';
import { intentOf } from '../../journal/purchase-key.ts';
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { sentAtMsOf } from './exchange-order.ts';
import { groupBy } from './group-by.ts';
import { recordIdIn, type JournalIndex } from './journal-index.ts';
import { isNamedOrder, partNumberIn } from './orders/order-names.ts';
import { spellingOf } from './orders/order-number.ts';
import { withoutOwnAttempt } from './orders/attempt-marks.ts';
import { findCharge } from './records.ts';
import {
  cardAndAmountOf,
  copyAndAmountOf,
  customerIn,
  detailsOf,
  payerOf,
} from './request-fields.ts';

/** The intent of a request to pay. A request that was refused before it was understood still has its body. */
export function intentOfAttempt(journal: JournalIndex, entry: StoredEntry): string | undefined {
  if (entry.intent !== undefined) return entry.intent;
  const body = journal.requestFieldsOf(entry);
  return body === undefined ? undefined : intentOf('payment.create', {}, body);
}

/** Requests to pay by their intent. */
export const paymentsByIntent = memoize((journal: JournalIndex) =>
  groupBy(journal.of('payment.create'), (entry) => intentOfAttempt(journal, entry)),
);

/**
 * All that a request to pay asks for, beside the names of the order, as a key: card, amount, details and payer.
 *
 * @param cardOfEntry The key of card and amount. With `copyAndAmountOf`, copies of one card count as one; with `cardOf`, the
 *   amount may differ.
 */
export function paymentContentOf(
  journal: JournalIndex,
  entry: StoredEntry,
  cardOfEntry: typeof cardAndAmountOf = cardAndAmountOf,
): string {
  return JSON.stringify([
    cardOfEntry(journal, entry),
    detailsOf(journal, entry),
    payerOf(journal, entry),
  ]);
}

/** Groups requests to pay by all that they ask for. Copies of one card that a customer stored count as one. */
export function groupByContent(
  journal: JournalIndex,
  entries: readonly StoredEntry[],
): readonly (readonly StoredEntry[])[] {
  const [first] = entries;
  const areEqual = entries.every(
    (entry) => hasSameBody(entry, first) && entry.cardMark === first?.cardMark,
  );
  return areEqual
    ? [entries]
    : [...groupBy(entries, (entry) => contentOfCopy(journal, entry)).values()];
}

/** The same, where copies of one card count as one if they belong to a customer with a name. */
function contentOfCopy(journal: JournalIndex, entry: StoredEntry): string {
  const isOfCustomer = customerIn(journal, entry) !== undefined;
  return paymentContentOf(journal, entry, isOfCustomer ? copyAndAmountOf : cardAndAmountOf);
}

/** The details of a request to pay, without the attempt that a numbered order may count in its description. */
export function orderDetailsOf(journal: JournalIndex, entry: StoredEntry): string {
  const details = detailsOf(journal, entry);
  const words = withoutOwnAttempt(details, sentAtMsOf(entry));
  return words !== details && isNamedOrder(journal, entry) ? words : details;
}

/**
 * All that a request about the record in its path asks for, as a key: operation, amount, invoice number and notes.
 * The invoice number may be written in another way.
 *
 * A refund without an amount is a refund of the whole charge. The service refuses it after a partial refund.
 */
export function recordContentOf(journal: JournalIndex, entry: StoredEntry): string {
  const body = journal.requestFieldsOf(entry);
  const recordId = recordIdIn(entry);
  const amount = memberOf(body, 'amount');
  const whole =
    amount === undefined ? findCharge(journal.records, recordId ?? '')?.amount : undefined;
  return JSON.stringify([
    entry.operation,
    recordId,
    whole === undefined
      ? canonicalAmount(amount)
      : [formatMinor(whole.minor, whole.currency), whole.currency],
    spellingOf(partNumberIn(journal, entry) ?? ''),
    detailsOf(journal, entry),
  ]);
}

/** Requests to refund or capture by what they ask for. */
export const requestsByRecordContent = memoize((journal: JournalIndex) =>
  groupBy(journal.of('sale.refund', 'capture.refund', 'auth.capture'), (entry) =>
    recordContentOf(journal, entry),
  ),
);

/** Whether two requests came with exactly the same body. */
export function hasSameBody(one: StoredEntry, other: StoredEntry | undefined): boolean {
  return (
    one === other ||
    (one.request === other?.request && one.requestSummary === other?.requestSummary)
  );
}
