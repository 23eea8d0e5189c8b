/** Reads what requests ask for by its meaning: neither the order of keys nor the notation of an amount matters. */
import { formatMinor } from '../../domain/money/money.ts';
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import { canonical, requestDetailsOf } from '../../journal/query/request-details.ts';
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Payment } from '../../domain/records.ts';
import { intentOf } from '../../journal/purchase-key.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memoize } from '../../shared/memoize.ts';
import { memberAlong, memberOf, stepsOf, textOf as textOfAny } from '../../shared/unknown-value.ts';
import { originalOf } from './cards.ts';
import { groupBy } from './group-by.ts';
import { recordIdIn, type JournalIndex } from './journal-index.ts';
import {
  namesMonthOfPlan,
  namesOneOrder,
  namesOnePart,
  withoutAttempt,
  type OrderWords,
} from './one-order-name.ts';
import { findCharge } from './records.ts';

const toTransaction = stepsOf('transactions[0]');
const toAmount = stepsOf('transactions[0].amount');
const toCard = stepsOf('payer.funding_instruments[0].credit_card');
const toCardToken = stepsOf('payer.funding_instruments[0].credit_card_token');
const toCardId = stepsOf('payer.funding_instruments[0].credit_card_token.credit_card_id');

/**
 * The fields of a raw card that identify it, beside its mark. A client that keeps a card for a retry has no verification
 * code left.
 */
const cardIdentity = ['number', 'type', 'expire_month', 'expire_year'] as const;

/** The transaction of a request to pay. */
export function transactionOf(journal: JournalIndex, entry: StoredEntry): unknown {
  return memberAlong(journal.requestFieldsOf(entry), toTransaction);
}

/** A text that the client filled in. The service takes an integer as its digits. */
export function textOf(value: unknown): string | undefined {
  if (Number.isInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The names that a request or payment gives its order. */
export interface OrderNames {
  readonly invoiceNumber?: string | undefined;
  readonly custom?: string | undefined;
}

/** The names that a request to pay gives its order. */
export function orderNamesIn(journal: JournalIndex, entry: StoredEntry): OrderNames {
  return orderNamesOf(transactionOf(journal, entry));
}

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

/** The only texts of a body in which a key can be `invoice_number`. An escape may stand for any character. */
const invoiceKey = /"invoice_number"|\\u/;

/** The invoice number of a request to pay. Most bodies without one need no parsing. */
export function invoiceNumberIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const text = entry.requestSummary ?? entry.request;
  return text !== undefined && invoiceKey.test(text)
    ? orderNamesIn(journal, entry).invoiceNumber
    : undefined;
}

export function hasInvoiceNumber(journal: JournalIndex, entry: StoredEntry): boolean {
  return invoiceNumberIn(journal, entry) !== undefined;
}

/** The names in the transaction of a request. */
export function orderNamesOf(transaction: unknown): OrderNames {
  return {
    invoiceNumber: textOf(memberOf(transaction, 'invoice_number')),
    custom: textOf(memberOf(transaction, 'custom')),
  };
}

/** Whether a request to pay gives one order a name of its own. */
export function isNamedOrder(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesOneOrder(orderWordsOf(journal, entry), customerIn(journal, entry));
}

/** Whether a request to pay names the month of a plan. */
export function isMonthOfPlan(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesMonthOfPlan(orderWordsOf(journal, entry), customerIn(journal, entry));
}

function orderWordsOf(journal: JournalIndex, entry: StoredEntry): OrderWords {
  const transaction = transactionOf(journal, entry);
  const textIn = (name: string) => textOf(memberOf(transaction, name));
  return {
    custom: textIn('custom'),
    referenceId: textIn('reference_id'),
    description: textIn('description'),
    notes: [
      ...['note_to_payee', 'soft_descriptor'].map(textIn),
      ...itemsIn(transaction).map((item) => textOf(memberOf(item, 'name'))),
    ].filter((text) => text !== undefined),
  };
}

const toItems = stepsOf('item_list.items');

function itemsIn(transaction: unknown): readonly unknown[] {
  const items = memberAlong(transaction, toItems);
  return Array.isArray(items) ? items : [];
}

/** Whether a request to pay has a name that it may share with another payment for the same order. */
export function hasOrderName(journal: JournalIndex, entry: StoredEntry): boolean {
  return orderNamesIn(journal, entry).custom !== undefined || isNamedOrder(journal, entry);
}

/** The card and the amount of a request to pay, as a key. */
export function cardAndAmountOf(journal: JournalIndex, entry: StoredEntry): string {
  return JSON.stringify([cardOf(journal, entry), amountOf(journal, entry)]);
}

/** The same, where copies of one vaulted card count as one. */
export function copyAndAmountOf(journal: JournalIndex, entry: StoredEntry): string {
  return JSON.stringify([originalOf(journal, cardOf(journal, entry)), amountOf(journal, entry)]);
}

/** The amount of a request to pay, as a key. */
export function amountOf(journal: JournalIndex, entry: StoredEntry): string {
  return canonicalAmount(memberAlong(journal.requestFieldsOf(entry), toAmount)).join(' ');
}

/** The id of a vaulted card, or the number and data of a raw one; empty if the request names no card. */
export function cardOf(journal: JournalIndex, entry: StoredEntry): string {
  // A request that was refused before it was understood has nothing but its body.
  const body = journal.requestFieldsOf(entry);
  const id = memberAlong(body, toCardId);
  if (typeof id === 'string') return restoreId(id);
  const card = memberAlong(body, toCard);
  return card === undefined
    ? ''
    : JSON.stringify([
        entry.cardMark,
        ...cardIdentity.map((name) => textOfAny(memberOf(card, name))),
      ]);
}

/**
 * What a request says about who pays: the customer, and both names and the address of the holder of a raw card. Each is
 * empty if it is missing.
 */
export function payerOf(journal: JournalIndex, entry: StoredEntry): readonly string[] {
  const card = memberAlong(journal.requestFieldsOf(entry), toCard);
  const address = memberOf(card, 'billing_address');
  return [
    customerIn(journal, entry) ?? '',
    ...['first_name', 'last_name'].map((name) => textOfAny(memberOf(card, name))),
    address === undefined ? '' : JSON.stringify(canonical(address)),
  ];
}

/** The customer that a request to pay names. */
export function customerIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const body = journal.requestFieldsOf(entry);
  return namedCustomerOf(memberAlong(body, toCard) ?? memberAlong(body, toCardToken));
}

/** The customer that a card or the token of a card names. `payer_id` is an older name of the same. */
export function namedCustomerOf(card: unknown): string | undefined {
  return textOf(memberOf(card, 'external_customer_id') ?? memberOf(card, 'payer_id'));
}

/** All else that a request says: description, items, address and notes, as a key. Purchases that differ in it are two. */
export function detailsOf(journal: JournalIndex, entry: StoredEntry): string {
  const fields = journal.requestFieldsOf(entry);
  const details = detailsByFields(journal);
  let known = details.get(fields);
  if (known === undefined) {
    const kept = entry.requestSummary === undefined ? undefined : memberOf(fields, 'details');
    known = typeof kept === 'string' ? kept : requestDetailsOf(fields);
    details.set(fields, known);
  }
  return known;
}

/** The same for a payment, without the attempt that a numbered order may count in its description. */
export function orderDetailsOf(journal: JournalIndex, entry: StoredEntry): string {
  const details = detailsOf(journal, entry);
  const words = withoutAttempt(details);
  return words !== details && isNamedOrder(journal, entry) ? words : details;
}

/** Requests with the same text share their parsed fields. */
const detailsByFields = memoize(() => new Map<unknown, string>());

/**
 * The key of a request about the record in its path: the operation, the amount, the invoice number and the notes.
 *
 * A refund without an amount is a refund of the whole charge. The service refuses it after a partial refund.
 */
export function recordWorkOf(journal: JournalIndex, entry: StoredEntry): string {
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
    memberOf(body, 'invoice_number'),
    detailsOf(journal, entry),
  ]);
}

const notes = ['description', 'reason', 'note_to_payer'];

/** Whether a refund or capture names one case or part of an order in its note. */
export function isNamedPart(journal: JournalIndex, entry: StoredEntry): boolean {
  const body = journal.requestFieldsOf(entry);
  return notes.some((name) => namesOnePart(textOf(memberOf(body, name)) ?? ''));
}

/** Requests to refund or capture by what they ask for. */
export const requestsByRecordWork = memoize((journal: JournalIndex) =>
  groupBy(journal.of('sale.refund', 'capture.refund', 'auth.capture'), (entry) =>
    recordWorkOf(journal, entry),
  ),
);

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
 * @param cardOfEntry The key of card and amount. With `copyAndAmountOf`, copies of one card count as one.
 */
export function workOf(
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

/** Groups requests to pay by all that they ask for. */
export function groupByWork(
  journal: JournalIndex,
  entries: readonly StoredEntry[],
): readonly (readonly StoredEntry[])[] {
  const [first] = entries;
  const areEqual = entries.every(
    (entry) => hasSameBody(entry, first) && entry.cardMark === first?.cardMark,
  );
  return areEqual ? [entries] : [...groupBy(entries, (entry) => workOf(journal, entry)).values()];
}

/** Whether two requests came with exactly the same body. */
export function hasSameBody(one: StoredEntry, other: StoredEntry | undefined): boolean {
  return (
    one === other ||
    (one.request === other?.request && one.requestSummary === other?.requestSummary)
  );
}
