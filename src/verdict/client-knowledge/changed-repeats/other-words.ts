/**
 * Did the client pay one order twice, because two parts of it name the order in different ways?
 *
 * The service compares invoice numbers letter by letter, so it refuses `INV-7` after `INV-7`, and accepts `inv-7`. It does
 * not compare other texts at all. Purchases that say different things in one field are two.
 */
import type { Payment } from '../../../domain/records.ts';
import { canonical } from '../../../journal/query/request-details.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { originalOf } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { groupDiffering, groupRepeats } from '../../evidence/group-by.ts';
import {
  orderNumberIn,
  orderNumbersIn,
  spellingOf,
  steadyName,
  withoutAttemptCount,
} from '../../evidence/orders/order-number.ts';
import { customerIdOf, paymentCardOf } from '../../evidence/records.ts';
import { hasSameBody } from '../../evidence/request-content.ts';
import {
  customerIn,
  payerOf,
  storedCardOf,
  textOf,
  transactionOf,
} from '../../evidence/request-fields.ts';
import { requestedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs, minRedeliveryMs } from '../../evidence/time-windows.ts';
import { arePartsInTurn } from '../parts/parts-in-turn.ts';
import { areSentInParallel } from '../parallel/parallel-attempts.ts';
import { isReplacement } from '../reaction.ts';
import { isReversedBefore } from '../reversal.ts';

/** Two payments for one order, which name it in different ways. */
export interface NamedInOtherWords {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly differences: readonly Difference[];
  /** Whether both may be parts of one order, or two orders of one customer. */
  readonly mayBeTwo: boolean;
}

/** A field in which two payments for one order differ. */
export interface Difference {
  readonly field: string;
  /**
   * How: only one has it, it is written in another way, it counts the attempts, a part of it is new for each attempt, or all
   * of it is. Or only one names the card by its number.
   */
  readonly kind: 'by-number' | 'omitted' | 'respelled' | 'attempt' | 'part-new' | 'new';
  /** The text of the second payment. */
  readonly text: string | undefined;
}

/** Finds the orders that were paid again in other words. */
export function findNamedInOtherWords(evidence: Evidence): NamedInOtherWords[] {
  const paid = requestedPayments(evidence).filter(({ entry }) => entry.committed);
  // Most payments are found to be unlike any other before their names are read.
  return splitByText(paid)
    .map(withoutEqualBodies)
    .flatMap((payments) => split(payments, (one) => cardAndAmountOf(evidence, one)))
    .flatMap(splitByText)
    .flatMap((payments) => comparePayments(evidence, payments));
}

/** The groups of payments that are alike in a trait, without those of equal requests. */
function split(
  payments: readonly PaymentRequest[],
  traitOf: (one: PaymentRequest) => string,
): (readonly PaymentRequest[])[] {
  return payments.length < 2 ? [] : [...groupDiffering(payments, traitOf, areEqual).values()];
}

const textFields = [
  'invoiceNumber',
  'custom',
  'referenceId',
  'description',
  'noteToPayee',
] as const;

/** Splits payments by a text that all of them have. Those that say different things in one field are two purchases. */
function splitByText(payments: readonly PaymentRequest[]): (readonly PaymentRequest[])[] {
  const textIn = (name: (typeof textFields)[number], { payment }: PaymentRequest) =>
    payment.transaction[name];
  const differing = textFields.find(
    (name) =>
      payments.every((one) => textIn(name, one) !== undefined) &&
      payments.some((one) => textIn(name, one) !== textIn(name, payments[0] ?? one)),
  );
  return differing === undefined
    ? [payments]
    : split(payments, (one) => meaningOf(differing, textIn(differing, one) ?? ''));
}

/** What two texts in one field share, if they may say the same thing. */
function meaningOf(name: (typeof textFields)[number], text: string): string {
  const steady = steadyName(text);
  // An invoice number may be new for each attempt.
  return spellingOf(withoutAttemptCount(steady ?? (name === 'invoiceNumber' ? '' : text)));
}

/** Leaves out each payment with the body and card of the one before it: most retries are equal. */
function withoutEqualBodies(payments: readonly PaymentRequest[]): readonly PaymentRequest[] {
  return payments.filter((one, at) => {
    const before = payments[at - 1];
    return before === undefined || !areEqual(before, one);
  });
}

function areEqual({ entry: one }: PaymentRequest, { entry: other }: PaymentRequest): boolean {
  return hasSameBody(one, other) && one.cardMark === other.cardMark;
}

/** Compares payments of one card and amount. Several texts of a payment may name its order. */
function comparePayments(
  evidence: Evidence,
  payments: readonly PaymentRequest[],
): NamedInOtherWords[] {
  const named = withoutEqualBodies(payments).flatMap((one) =>
    orderNamesOf(one).map((name) => ({ name, one })),
  );
  const found = [...groupRepeats(named, 2, ({ name }) => name)].flatMap(([name, group]) =>
    consecutivePairs(group).flatMap(([{ one }, { one: other }]) =>
      compare(evidence, name, one, other),
    ),
  );
  return [...new Map(found.map((pair) => [pair.again, pair])).values()];
}

/**
 * Copies of one card count as one, if both belong to a customer with a name. So does the number of a card that the customer
 * stored.
 */
function cardAndAmountOf(evidence: Evidence, { entry, payment }: PaymentRequest): string {
  const { minor, currency } = payment.transaction.amount;
  return `${payment.intent} ${minor} ${currency} ${cardAndCustomerOf(evidence, entry, payment)}`;
}

function cardAndCustomerOf(evidence: Evidence, entry: StoredEntry, payment: Payment): string {
  const stored = storedCardOf(evidence, entry);
  const customer = stored === undefined ? customerIdOf(payment) : customerIn(evidence, entry);
  const card = stored ?? paymentCardOf(payment);
  const original = customer === undefined ? card : originalOf(evidence, card);
  const mark = stored === undefined ? entry.cardMark : undefined;
  return `${original} ${mark ?? ''} ${customer ?? ''}`;
}

/** What names the order of a payment: its invoice number, and the number of an order in any text. */
function orderNamesOf({ payment }: PaymentRequest): readonly string[] {
  const { invoiceNumber, custom, referenceId, description, noteToPayee, items } =
    payment.transaction;
  const notes = [noteToPayee ?? '', ...(items ?? []).map(({ name }) => name ?? '')];
  const names = orderNumbersIn({ custom, referenceId, description, notes }, customerIdOf(payment));
  // What is left of an invoice number with a part that is new each time may be a customer or a day.
  const isSteady = invoiceNumber !== undefined && steadyName(invoiceNumber) === invoiceNumber;
  const ofInvoice = isSteady ? [orderNumberIn(invoiceNumber), numberOfInvoice(invoiceNumber)] : [];
  const counted = custom === undefined ? [] : namesWithCount(custom);
  return [...new Set([...names, ...ofInvoice, ...counted])].filter((name) => name !== undefined);
}

/** A name that counts the attempts stands for one order, whatever its words are. */
function namesWithCount(custom: string): readonly string[] {
  const counted = withoutAttemptCount(custom);
  return counted === custom ? [] : [`counted ${spellingOf(counted)}`];
}

/** What a payment says about its order beside its amount, by the names of the fields. */
function textsOf(
  evidence: Evidence,
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
    soft_descriptor: textOf(memberOf(transactionOf(evidence, entry), 'soft_descriptor')),
    item_list: rest.items && JSON.stringify(canonical(rest.items)),
    shipping_address: JSON.stringify(rest.shippingAddress),
    details: JSON.stringify(parts),
  };
}

function compare(
  evidence: Evidence,
  name: string,
  one: PaymentRequest,
  other: PaymentRequest,
): NamedInOtherWords[] {
  const [first, again] = [one.entry, other.entry];
  // Equal requests are for one purchase anyway.
  if (hasSameBody(first, again) || !mayBeForOneOrder(evidence, first, again)) return [];
  const texts = new Map<string, string | undefined>(Object.entries(textsOf(evidence, one)));
  const differences: Difference[] = [];
  let mayBePart = false;
  for (const [field, text] of Object.entries(textsOf(evidence, other))) {
    const before = texts.get(field);
    if (text === before) continue;
    const kind = differenceIn(field, before, text);
    if (kind === undefined) return [];
    differences.push({ field, kind, text });
    // The balance of an order may have a text that its deposit has not.
    mayBePart ||=
      kind === 'omitted' && field !== 'item_list' && !isNamedBy(name, text ?? before ?? '');
  }
  if (isNamedInTwoWays(first, again)) {
    differences.push({ field: 'card', kind: 'by-number', text: undefined });
    mayBePart ||= arePartsInTurn(evidence, first, again);
  }
  const isCounted = differences.some(({ kind }) => kind === 'attempt');
  if (!isCounted && !isRepeat(evidence, first, again)) return [];
  const mayBeTwo =
    differences.some(({ kind }) => kind === 'part-new') ||
    // No client pays a deposit and its balance at once.
    (mayBePart && !areSentInParallel(evidence, first, again));
  return [{ first, again, differences, mayBeTwo }];
}

/** Whether a text is a name of an order. */
function isNamedBy(name: string, text: string): boolean {
  return orderNumberIn(text) === name || numberOfInvoice(text) === name;
}

/** An invoice number as a name of its order. */
function numberOfInvoice(invoice: string): string {
  return `inv ${spellingOf(withoutAttemptCount(invoice))}`;
}

/** How two texts in one field differ; `undefined` if they say different things. */
function differenceIn(field: string, one?: string, other?: string): Difference['kind'] | undefined {
  if (one === undefined || other === undefined) return 'omitted';
  if (spellingOf(one) === spellingOf(other)) return 'respelled';
  const [counted, otherCounted] = [one, other].map((text) => spellingOf(withoutAttemptCount(text)));
  if (counted === otherCounted) return 'attempt';
  const [steady, otherSteady] = [one, other].map(steadyName);
  if (steady === undefined && otherSteady === undefined) {
    return field === 'invoice_number' ? 'new' : undefined;
  }
  if (steady === undefined || otherSteady === undefined) return undefined;
  return spellingOf(steady) === spellingOf(otherSteady) ? 'part-new' : undefined;
}

function mayBeForOneOrder(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  return (
    gapMs(first, again) <= maxRedeliveryMs &&
    (isNamedInTwoWays(first, again) ||
      JSON.stringify(payerOf(evidence, first)) === JSON.stringify(payerOf(evidence, again))) &&
    !isReversedBefore(evidence, first, again)
  );
}

/** Whether one request names its card by the id in the vault, and the other one by its number. */
function isNamedInTwoWays(first: StoredEntry, again: StoredEntry): boolean {
  return (first.cardId === undefined) !== (again.cardId === undefined);
}

/** Whether the second payment came as a repeat does: at once, after a lost answer, or when a job is delivered again. */
function isRepeat(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  return (
    gapMs(first, again) >= minRedeliveryMs ||
    isRetry(evidence, first, again) ||
    areSentInParallel(evidence, first, again)
  );
}

/** Whether the client sent the second payment because it could not know that the first one had succeeded. */
function isRetry(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  return first.concludes !== 'OK' && isReplacement(evidence, first, again);
}
