/** Does the merchant keep money that was taken twice for one thing? */
import type { Money } from '../../../../domain/money/money.ts';
import { captureCapMinor } from '../../../../domain/payment/authorization.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { groupBy, keepWhere } from '../../../evidence/group-by.ts';
import { firstExamples } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import type { PaidTwice } from '../../finding-rule.ts';

/** What was taken or put on hold, and what is left of that. */
export type Taken = Pick<Charge, 'amount' | 'retainedMinor'>;

/** Charges that still hold money, by the id of their payment. Several captures of one authorization are parts of one payment. */
export type Payments = ReadonlyMap<string, readonly Charge[]>;

/** The charges that still hold money. */
export function keptCharges(charges: readonly Charge[]): readonly Charge[] {
  return keepWhere(charges, ({ retainedMinor }) => retainedMinor > 0);
}

/**
 * The payments of a purchase that still hold money, if together they hold more than one of them took. Parts that were
 * captured from several holds may add up to what the service lets a client capture from the first one.
 */
export function keptPayments(
  purchase: Purchase,
  attempts: readonly StoredEntry[],
): Payments | undefined {
  const payments = groupBy(keptCharges(purchase.chargesBy(attempts)), ({ paymentId }) => paymentId);
  const paid = [...payments.values()];
  if (!isKeptTwice(paid)) return undefined;
  const ordered = amountOfParts(paid);
  const areParts = ordered !== undefined && keptMinorOf(paid.flat()) <= captureCapMinor(ordered);
  return areParts ? undefined : payments;
}

/** What the buyer ordered, if several payments hold its money: what the first one took, or was authorized for all parts. */
export function amountsOrdered(payments: PaidTwice): readonly Money[] {
  const ofParts = amountOfParts(payments);
  return ofParts === undefined ? (payments[0] ?? []).map(({ amount }) => amount) : [ofParts];
}

/**
 * The amount of the first of several holds, if each was captured for other parts of the order. A part that was captured
 * from two of them was captured twice.
 */
function amountOfParts(payments: PaidTwice): Money | undefined {
  const first = payments[0]?.[0]?.authorized;
  if (first === undefined) return undefined;
  const holdOfPart = new Map<number, string>();
  for (const { amount, authorized, paymentId } of payments.flat()) {
    if (authorized?.currency !== first.currency) return undefined;
    if ((holdOfPart.get(amount.minor) ?? paymentId) !== paymentId) return undefined;
    holdOfPart.set(amount.minor, paymentId);
  }
  const holds = new Set(holdOfPart.values());
  return holds.size === payments.length ? first : undefined;
}

/** Whether all that was captured from several holds together fits into the first one. */
export function fitIntoOneHold(charges: readonly Charge[]): boolean {
  const first = charges[0]?.authorized;
  return (
    first !== undefined &&
    charges.every(({ authorized }) => authorized?.currency === first.currency) &&
    keptMinorOf(charges) <= first.minor
  );
}

/** What two requests still hold, if both hold money, and together more than one of them took. */
export function keptTwice(one: readonly Charge[], other: readonly Charge[]): PaidTwice | undefined {
  const kept = [keptCharges(one), keptCharges(other)];
  return isKeptTwice(kept) ? kept : undefined;
}

/** Whether several payments all hold money, and together more than one of them took. */
export function isKeptTwice(payments: readonly (readonly Taken[])[]): boolean {
  return (
    payments.length > 1 && payments.every(({ length }) => length > 0) && !isOneChargeLeft(payments)
  );
}

/** Whether refunds left the merchant no more money than one of the payments took. */
function isOneChargeLeft(payments: readonly (readonly Taken[])[]): boolean {
  const currency = payments[0]?.[0]?.amount.currency;
  const charges = payments.flat();
  if (charges.some(({ amount }) => amount.currency !== currency)) return false;
  const keptMinor = keptMinorOf(charges);
  return payments.some((payment) => keptMinor <= minorTakenBy(payment));
}

/** What is left of charges in all, in minor units. */
function keptMinorOf(charges: readonly Taken[]): number {
  return charges.reduce((sum, { retainedMinor }) => sum + retainedMinor, 0);
}

/** What charges took in all, in minor units. */
export function minorTakenBy(charges: readonly Taken[]): number {
  return charges.reduce((sum, { amount }) => sum + amount.minor, 0);
}

/** The requests that took money, as examples. */
export function entriesOf(charges: readonly Charge[]): readonly StoredEntry[] {
  return firstExamples(new Set(charges.map(({ entry }) => entry)));
}
