/** What the texts of a payment say of its order, and how those of two payments differ. */
import { canonical } from '../../../journal/query/request-details.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import {
  steadyName,
  withoutAttemptCount,
  withoutAttemptWords,
  withoutOwnTimes,
  withoutRun,
} from '../../evidence/orders/attempt-marks.ts';
import { sentAtMsOf } from '../../evidence/exchange-order.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import {
  isMonthKey,
  orderNumberIn,
  orderNumbersIn,
  spellingOf,
} from '../../evidence/orders/order-number.ts';
import {
  countsAttempts,
  haveSameItems,
  inOneOrder,
  unescaped,
} from '../../evidence/orders/written-forms.ts';
import { changeWords, type OrderWords } from '../../evidence/orders/order-words.ts';
import { customerIdOf, notesOf } from '../../evidence/records.ts';
import { textOf, transactionOf } from '../../evidence/request-fields.ts';
import type { PaymentRequest } from '../../evidence/requested-payments.ts';

/** A field in which two payments for one order differ. */
export interface Difference {
  readonly field: string;
  /**
   * How: only one has it, it is written in another way, its escapes or its order differ, it has other lines for the same
   * items, it names the attempt, the run of a job or the time, a part of it is new for each attempt, or all of it is. Or only
   * one names the card by its number.
   */
  readonly kind:
    | 'by-number'
    | 'omitted'
    | 'respelled'
    | 'escaped'
    | 'reordered'
    | 'other-lines'
    | 'attempt'
    | 'run'
    | 'time'
    | 'part-new'
    | 'new';
  /** The text of the second payment, or else of the first. */
  readonly text: string | undefined;
}

/** What names the order of a payment: its invoice number, and the number of an order in any text. */
export function namesOfOrder({ entry, payment }: PaymentRequest): readonly string[] {
  const { invoiceNumber, custom, referenceId, description } = payment.transaction;
  const words = { custom, referenceId, description, notes: notesOf(payment) };
  const names = namesWithoutRun(words, customerIdOf(payment), entry);
  // What is left of an invoice number with a part that is new each time may be a customer or a day.
  const isSteady = invoiceNumber !== undefined && steadyName(invoiceNumber) === invoiceNumber;
  const ofInvoice = isSteady ? [orderNumberIn(invoiceNumber), numberOfInvoice(invoiceNumber)] : [];
  const counted = custom === undefined ? [] : namesWithCount(custom);
  return [...new Set([...names, ...ofInvoice, ...counted])].filter((name) => name !== undefined);
}

/** The numbers of an order, or the month of a plan, whichever run of a job pays it. */
function namesWithoutRun(words: OrderWords, customer: string | undefined, entry: StoredEntry) {
  const names = orderNumbersIn(words, customer);
  if (names.some((name) => !isMonthKey(name))) return names;
  const steady = changeWords(words, (text) => withoutRun(text, sentAtMsOf(entry)));
  return orderNumbersIn(steady, customer).filter(isMonthKey);
}

/** A name that counts the attempts, at its end or in JSON, stands for one order, whatever its words are. */
function namesWithCount(custom: string): readonly string[] {
  const counted = withoutAttemptCount(custom);
  if (counted !== custom) return [`counted ${spellingOf(counted)}`];
  return countsAttempts(custom) ? [`counted ${meaningOf(custom)}`] : [];
}

/** Whether a text is a name of an order. */
export function isNamedBy(name: string, text: string): boolean {
  return orderNumberIn(text) === name || numberOfInvoice(text) === name;
}

/** An invoice number as a name of its order. */
function numberOfInvoice(invoice: string): string {
  return `inv ${spellingOf(withoutAttemptCount(invoice))}`;
}

/**
 * The fields in which two payments differ; `undefined` if they say different things in one of them.
 *
 * @param name The name of the order that both have. The month of a plan is paid once, whichever run of a job pays it.
 */
export function differencesBetween(
  journal: JournalIndex,
  name: string,
  one: PaymentRequest,
  other: PaymentRequest,
): readonly Difference[] | undefined {
  const texts = textsOf(journal, one);
  const [items, otherItems] = [one, other].map(({ payment }) => payment.transaction.items);
  const differences: Difference[] = [];
  for (const [field, text] of Object.entries(textsOf(journal, other))) {
    const before = texts[field];
    if (text === before) continue;
    const kind =
      field === 'item_list' && haveSameItems(items, otherItems)
        ? 'other-lines'
        : ((isMonthKey(name) ? changeOfRun([one.entry, before], [other.entry, text]) : undefined) ??
          differenceIn(field, before, text));
    if (kind === undefined) return undefined;
    differences.push({ field, kind, text: text ?? before });
  }
  return differences;
}

/** What a payment says about its order beside its amount, by the names of the fields. */
function textsOf(
  journal: JournalIndex,
  { entry, payment }: PaymentRequest,
): Readonly<Record<string, string | undefined>> {
  const { invoiceNumber, custom, referenceId, description, noteToPayee, ...rest } =
    payment.transaction;
  // The subtotal says no more than the total. What is missing has no JSON.
  const parts = { ...rest.amount.details, subtotal: undefined };
  return {
    invoice_number: invoiceNumber,
    custom,
    reference_id: referenceId,
    description,
    note_to_payee: noteToPayee,
    // The record does not keep it.
    soft_descriptor: textOf(memberOf(transactionOf(journal, entry), 'soft_descriptor')),
    item_list: rest.items && JSON.stringify(canonical(rest.items)),
    shipping_address: JSON.stringify(rest.shippingAddress),
    details: JSON.stringify(parts),
  };
}

/** What two texts in one field share, if they say the same thing: neither spelling nor attempt matters. */
export function meaningOf(text: string): string {
  return spellingOf(withoutAttemptWords(inOneOrder(unescaped(text), false)));
}

/** Whether two texts differ only in the time at which they were sent, or in the run of a job; `undefined` if in more. */
function changeOfRun(
  ...texts: readonly (readonly [entry: StoredEntry, text: string | undefined])[]
): 'time' | 'run' | undefined {
  const areAlike = (without: typeof withoutOwnTimes) => {
    const rests = texts.map(([entry, text = '']) => without(text, sentAtMsOf(entry)));
    const haveMarks = texts.every(([, text], at) => text !== undefined && text !== rests[at]);
    return haveMarks && new Set(rests.map(spellingOf)).size === 1;
  };
  if (areAlike(withoutOwnTimes)) return 'time';
  return areAlike(withoutRun) ? 'run' : undefined;
}

/** How two texts in one field differ; `undefined` if they say different things. */
function differenceIn(field: string, one?: string, other?: string): Difference['kind'] | undefined {
  if (one === undefined || other === undefined) {
    return meaningOf(one ?? other ?? '') === '' ? 'attempt' : 'omitted';
  }
  if (spellingOf(one) === spellingOf(other)) return 'respelled';
  const [plain, otherPlain] = [one, other].map((text) => spellingOf(unescaped(text)));
  if (plain === otherPlain) return 'escaped';
  const [sorted, otherSorted] = [one, other].map((text) => spellingOf(inOneOrder(unescaped(text))));
  if (sorted === otherSorted) return 'reordered';
  if (meaningOf(one) === meaningOf(other)) return 'attempt';
  const [steady, otherSteady] = [one, other].map(steadyName);
  if (steady === undefined && otherSteady === undefined) {
    return field === 'invoice_number' ? 'new' : undefined;
  }
  if (steady === undefined || otherSteady === undefined) return undefined;
  return spellingOf(steady) === spellingOf(otherSteady) ? 'part-new' : undefined;
}
