/** The names that a request gives its order: an invoice number, `custom`, or a text with the number of the order. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../../shared/unknown-value.ts';
import { isRefund } from '../exchange-results.ts';
import type { JournalIndex } from '../journal-index.ts';
import { sentAtMsOf } from '../exchange-order.ts';
import { withoutRun } from './attempt-marks.ts';
import {
  changeWords,
  namesBooking,
  namesMonthOfPlan,
  namesOneOrder,
  namesOnePart,
  namesOrderAndReason,
  namesPointOfSale,
  namesUnnumberedPart,
  orderNameOf,
  type OrderWords,
} from './order-words.ts';
import { customerIn, textOf, transactionOf } from '../request-fields.ts';

/** The names that a request or payment gives its order. */
export interface OrderNames {
  readonly invoiceNumber?: string | undefined;
  readonly custom?: string | undefined;
}

/** The names that a request to pay gives its order. */
export function orderNamesIn(journal: JournalIndex, entry: StoredEntry): OrderNames {
  return orderNamesOf(transactionOf(journal, entry));
}

/** The names in the transaction of a request. */
export function orderNamesOf(transaction: unknown): OrderNames {
  return {
    invoiceNumber: textOf(memberOf(transaction, 'invoice_number')),
    custom: textOf(memberOf(transaction, 'custom')),
  };
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

/** Whether a request to pay gives one order a name of its own. */
export function isNamedOrder(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesOneOrder(orderWordsOf(journal, entry), customerIn(journal, entry));
}

/** Whether a request to pay names a period or instalment of a plan. */
export function isMonthOfPlan(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesMonthOfPlan(orderWordsOf(journal, entry), customerIn(journal, entry));
}

/** The same, whichever run of a job pays it, and whenever. */
export function isMonthOfPlanInRun(journal: JournalIndex, entry: StoredEntry): boolean {
  const words = changeWords(orderWordsOf(journal, entry), (text) =>
    withoutRun(text, sentAtMsOf(entry)),
  );
  return namesMonthOfPlan(words, customerIn(journal, entry));
}

/** Whether a request to pay says that it is a part of its order, but not which one. */
export function isUnnumberedPart(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesUnnumberedPart(orderWordsOf(journal, entry));
}

/** Whether a request to pay names a booking, which may be paid night by night. */
export function isBooking(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesBooking(orderWordsOf(journal, entry));
}

/** Whether `custom` of a request to pay stands for a till or machine. */
export function isPointOfSale(journal: JournalIndex, entry: StoredEntry): boolean {
  return namesPointOfSale(orderNamesIn(journal, entry).custom ?? '');
}

/** The name that a request to pay gives its order, in `custom` or a text. */
export function orderNameIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  return orderNameOf(orderWordsOf(journal, entry));
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

/** The fields of a refund or capture that may name a case or part of its order. */
export const noteFields = ['description', 'reason', 'note_to_payer'] as const;

/** Whether a refund or capture names one case or part of an order in its note. */
export function isNamedPart(journal: JournalIndex, entry: StoredEntry): boolean {
  return notesIn(journal, entry).some(namesOnePart);
}

/** Whether a refund names its order and says why in its note. */
export function isRefundWithReason(journal: JournalIndex, entry: StoredEntry): boolean {
  return isRefund(entry.operation) && notesIn(journal, entry).some(namesOrderAndReason);
}

/** The notes of a refund or capture. */
export function notesIn(journal: JournalIndex, entry: StoredEntry): readonly string[] {
  const body = journal.requestFieldsOf(entry);
  return noteFields.flatMap((name) => textOf(memberOf(body, name)) ?? []);
}

/**
 * Whether two refunds or captures name one case or part of an order, one of them perhaps in more words: `RMA-77` and
 * `Refund for rma 077, box open`. A number more may name another item.
 */
export function haveOnePart(journal: JournalIndex, one: StoredEntry, other: StoredEntry): boolean {
  if (![one, other].every((entry) => isNamedPart(journal, entry))) return false;
  const [words, otherWords] = [one, other].map((entry) => wordsIn(notesIn(journal, entry)));
  if (words === undefined || otherWords === undefined) return false;
  const [fewer, more] = words.size < otherWords.size ? [words, otherWords] : [otherWords, words];
  const added = [...more].filter((word) => !fewer.has(word));
  return more.size - added.length === fewer.size && !added.some((word) => /\d/.test(word));
}

/** What a note of any refund may say, beside its case and item: `RMA-77 returned`, `Refund of RMA-77`. */
const sayNothing = /^(?:re(?:turn|fund)(?:s|ed|ing)?|for|of|the|on|per)$/;

function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []);
  return new Set(
    words.filter((word) => !sayNothing.test(word)).map((word) => word.replace(/^0+(?=\d)/, '')),
  );
}

/** The invoice number of a refund or capture, which names one part of the money. */
export function partNumberIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  return textOf(memberOf(journal.requestFieldsOf(entry), 'invoice_number'));
}
