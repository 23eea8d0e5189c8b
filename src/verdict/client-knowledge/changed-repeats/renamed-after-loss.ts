/**
 * Did the client pay again under the name of an order with something added, or without the name, while it could not know
 * that the first payment had succeeded?
 *
 * A name that counts the attempts gets past the service, which refuses an invoice number that was paid.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq, gapMs } from '../../evidence/exchange-order.ts';
import { groupDiffering } from '../../evidence/group-by.ts';
import { paymentContentOf } from '../../evidence/request-content.ts';
import { steadyName, withoutAddition } from '../../evidence/orders/attempt-marks.ts';
import { namesWithin } from '../../evidence/orders/order-number.ts';
import { committedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { cardOf } from '../../evidence/request-fields.ts';
import { maxRedeliveryMs, sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { isDisclosedByAnotherAnswer } from '../disclosure.ts';
import { isReplacement } from '../reaction.ts';
import { hasAlmostSameAmount, hasSameAmount } from './payment-chains.ts';

export interface RenamedAfterLoss {
  /** The payment whose answer did not arrive. */
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** The invoice number of both, or else their `custom`. */
  readonly name: string;
  /** Missing if the second payment had no name. */
  readonly otherName: string | undefined;
  readonly isInvoice: boolean;
  /** Whether both have the same amount. Else they differ by a few cents. */
  readonly hasSameAmount: boolean;
}

/** Finds the payments that were made again under another name for the same order. */
export function findRenamedAfterLoss(evidence: Evidence): RenamedAfterLoss[] {
  // Most answers arrive, and then no payment need be read.
  if (evidence.of('payment.create').every(isAnswered)) return [];
  const paid = committedPayments(evidence);
  // A repeat has the same description. Most orders have one of their own, and one name.
  const renamed = groupDiffering(
    paid,
    ({ payment }) => payment.transaction.description,
    (one, other) => nameOf(one) === nameOf(other),
  );
  return [...renamed.values()]
    .flatMap((payments) => findRenamedAmong(evidence, payments))
    .toSorted((one, other) => bySeq(one.again, other.again));
}

function findRenamedAmong(
  evidence: Evidence,
  payments: readonly PaymentRequest[],
): RenamedAfterLoss[] {
  const lost = new LostPayments();
  const renamed: RenamedAfterLoss[] = [];
  for (const other of payments) {
    const { entry: again } = other;
    const otherName = nameOf(other);
    // A retry under the same name is for the same purchase anyway.
    const alike = lost.hasName(otherName) ? [] : lost.like(other);
    const found = alike.find((one) => isPaidAgain(evidence, one, other));
    if (found !== undefined) {
      renamed.push({
        name: nameOf(found) ?? '',
        isInvoice: hasInvoiceNumber(found),
        hasSameAmount: hasSameAmount(found, other),
        first: found.entry,
        again,
        otherName,
      });
    }
    if (!isAnswered(again)) lost.add(other);
  }
  return renamed;
}

/** The payments so far whose answers were lost, without those that gave their orders no name. */
class LostPayments {
  readonly #names = new Set<string | undefined>();
  readonly #latestOfCard = new Map<string, PaymentRequest>();
  readonly #latestByBase = new Map<string, PaymentRequest>();
  readonly #latestByPart = new Map<string, PaymentRequest>();

  add(one: PaymentRequest): void {
    const name = nameOf(one);
    if (name === undefined) return;
    this.#names.add(name);
    this.#latestOfCard.set(keyOf(one), one);
    const base = withoutAddition(name);
    for (const minor of amountsToMatch(one)) {
      this.#latestByBase.set(keyOf(one, base, minor), one);
      for (const part of namesWithin(base)) this.#latestByPart.set(keyOf(one, part, minor), one);
    }
  }

  hasName(name: string | undefined): boolean {
    return this.#names.has(name);
  }

  /**
   * The latest of the same card that may be for the same order as a payment under another name. Those of the same amount come
   * first.
   */
  like(other: PaymentRequest): readonly PaymentRequest[] {
    if (this.#names.size === 0) return [];
    const name = nameOf(other);
    if (name !== undefined) return this.#withPartOf(name, other);
    const latest = this.#latestOfCard.get(keyOf(other));
    const isRecent = latest !== undefined && gapMs(latest.entry, other.entry) <= sameIntentWindowMs;
    return isRecent ? [latest] : [];
  }

  /** Those whose name is a part of another one, or has it as a part. `R-7-a` and `R-7-b` are two parts of one order. */
  #withPartOf(name: string, other: PaymentRequest): readonly PaymentRequest[] {
    const base = withoutAddition(name);
    const found = amountsToMatch(other).flatMap((minor) => [
      ...[base, ...namesWithin(base)].map((part) =>
        this.#latestByBase.get(keyOf(other, part, minor)),
      ),
      this.#latestByPart.get(keyOf(other, base, minor)),
    ]);
    return found.filter((one) => one !== undefined);
  }
}

function keyOf(
  { entry: { cardId, cardMark }, payment }: PaymentRequest,
  part = '',
  minor: number | 'any' = payment.transaction.amount.minor,
): string {
  return `${cardId ?? cardMark} ${minor} ${part}`;
}

/** The amount of a payment, and what stands for any amount: the price may have been calculated again. */
function amountsToMatch({ payment }: PaymentRequest): readonly (number | 'any')[] {
  return [payment.transaction.amount.minor, 'any'];
}

function isAnswered({ concludes }: StoredEntry): boolean {
  return concludes === 'OK';
}

/** The name that a payment gives its order. */
function nameOf({ payment: { transaction } }: PaymentRequest): string | undefined {
  return transaction.invoiceNumber ?? transaction.custom;
}

function hasInvoiceNumber({ payment }: PaymentRequest): boolean {
  return payment.transaction.invoiceNumber !== undefined;
}

/**
 * Whether both names have a part that is new for each payment. What is left may be a customer, who buys the same thing again
 * later.
 */
function haveNewParts(...both: readonly PaymentRequest[]): boolean {
  return both.every((one) => steadyName(nameOf(one) ?? '') !== nameOf(one));
}

function isPaidAgain(evidence: Evidence, one: PaymentRequest, other: PaymentRequest): boolean {
  const otherName = nameOf(other);
  if (nameOf(one) === otherName) return false;
  const [first, again] = [one.entry, other.entry];
  return (
    (otherName === undefined || hasInvoiceNumber(one) === hasInvoiceNumber(other)) &&
    gapMs(first, again) <= (haveNewParts(one, other) ? sameIntentWindowMs : maxRedeliveryMs) &&
    isReplacement(evidence, first, again) &&
    (hasSameAmount(one, other) || hasAlmostSameAmount(one, other)) &&
    paymentContentOf(evidence, first, cardOf) === paymentContentOf(evidence, again, cardOf) &&
    !isDisclosedByAnotherAnswer(evidence, first, again)
  );
}
