/**
 * Did the client pay one order twice, because two parts of it name the order in different ways?
 *
 * The service compares invoice numbers letter by letter, so it refuses `INV-7` after `INV-7`, and accepts `inv-7`. It does
 * not compare other texts at all. Purchases that say different things in one field are two.
 */
import type { Payment } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { areCardsStoredInTurn, originalOf } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { groupDiffering, groupRepeats } from '../../evidence/group-by.ts';
import { steadyName, withoutRun } from '../../evidence/orders/attempt-marks.ts';
import { customerIdOf, paymentCardOf } from '../../evidence/records.ts';
import { hasSameBody } from '../../evidence/request-content.ts';
import { customerIn, payerOf, storedCardOf } from '../../evidence/request-fields.ts';
import { committedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs, minRedeliveryMs } from '../../evidence/time-windows.ts';
import { arePartsInTurn } from '../parts/parts-in-turn.ts';
import { areSentInParallel } from '../parallel/parallel-attempts.ts';
import { lastWithKey } from '../idempotency-keys.ts';
import { isReplacement } from '../reaction.ts';
import { isReversedBefore } from '../reversal.ts';
import {
  differencesBetween,
  isNamedBy,
  meaningOf,
  namesOfOrder,
  type Difference,
} from './order-texts.ts';

/** Two payments for one order, which name it in different ways. */
export interface NamedInOtherWords {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly differences: readonly Difference[];
  /** Whether both may be parts of one order, or two orders of one customer. */
  readonly mayBeTwo: boolean;
}

/** Finds the orders that were paid again in other words. */
export const findNamedInOtherWords = memoize((evidence: Evidence): readonly NamedInOtherWords[] => {
  const paid = committedPayments(evidence);
  // Most payments are found to be unlike any other before their names are read.
  return splitByText(paid)
    .map(withoutEqualBodies)
    .flatMap((payments) => split(payments, (one) => cardAndAmountOf(evidence, one)))
    .flatMap(splitByText)
    .flatMap((payments) => comparePayments(evidence, payments));
});

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

type TextField = (typeof textFields)[number];

/** Splits payments by a text that all of them have. Those that say different things in one field are two purchases. */
function splitByText(payments: readonly PaymentRequest[]): (readonly PaymentRequest[])[] {
  const differing = textFields.find(
    (name) =>
      payments.every((one) => textIn(name, one) !== undefined) &&
      payments.some((one) => textIn(name, one) !== textIn(name, payments[0] ?? one)),
  );
  return differing === undefined
    ? [payments]
    : split(payments, (one) => sharedMeaningOf(differing, textIn(differing, one) ?? ''));
}

function textIn(name: TextField, { payment }: PaymentRequest): string | undefined {
  return payment.transaction[name];
}

/** What two texts in one field share, if they may say the same thing. */
function sharedMeaningOf(name: TextField, text: string): string {
  // An invoice number may be new for each attempt.
  const steady = steadyName(text) ?? (name === 'invoiceNumber' ? '' : text);
  return meaningOf(withoutRun(steady));
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
    namesOfOrder(one).map((name) => ({ name, one })),
  );
  const found = [...groupRepeats(named, 2, ({ name }) => name)].flatMap(([name, group]) =>
    areCardsStoredInTurn(
      evidence,
      group.map(({ one }) => one.entry),
    )
      ? []
      : consecutivePairs(group).flatMap(([{ one }, { one: other }]) =>
          comparePair(evidence, name, one, other),
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

/** Differences that a repeat has, however soon it comes. */
const countedKinds: ReadonlySet<Difference['kind']> = new Set(['attempt', 'run', 'time']);

/** Differences that two purchases may have as well. What is used may be paid several times in a month. */
const doubtfulKinds: ReadonlySet<Difference['kind']> = new Set(['part-new', 'run', 'time']);

/** @param name The name of the order that both payments have. */
function comparePair(
  evidence: Evidence,
  name: string,
  one: PaymentRequest,
  other: PaymentRequest,
): NamedInOtherWords[] {
  const [first, again] = [one.entry, other.entry];
  // Equal requests are for one purchase anyway.
  if (hasSameBody(first, again) || !mayBeForOneOrder(evidence, first, again)) return [];
  const inTexts = differencesBetween(evidence, name, one, other);
  if (inTexts === undefined) return [];
  const isCounted = inTexts.some(({ kind }) => countedKinds.has(kind));
  if (!isCounted && !isRepeat(evidence, first, again)) return [];
  const isByNumber = isNamedInTwoWays(first, again);
  const mayBePart =
    inTexts.some((difference) => mayNamePart(name, difference)) ||
    (isByNumber && arePartsInTurn(evidence, first, again));
  const mayBeTwo =
    inTexts.some(({ kind }) => doubtfulKinds.has(kind)) ||
    // No client pays a deposit and its balance at once.
    (mayBePart && !areSentInParallel(evidence, first, again));
  return [{ first, again, differences: isByNumber ? [...inTexts, byNumber] : inTexts, mayBeTwo }];
}

const byNumber: Difference = { field: 'card', kind: 'by-number', text: undefined };

/** Whether the text that one payment lacks may name a part of the order: its balance may have a text that its deposit has not. */
function mayNamePart(name: string, { kind, field, text = '' }: Difference): boolean {
  return kind === 'omitted' && field !== 'item_list' && !isNamedBy(name, text);
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

/**
 * Whether the client sent the second payment because the answer to the first one was lost. It did not if it had repeated
 * the first one with its request id, and received the answer to that.
 */
function isRetry(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  return lastWithKey(evidence, first).concludes !== 'OK' && isReplacement(evidence, first, again);
}
