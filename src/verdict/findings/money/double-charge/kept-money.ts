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
  return areParts(paid) ? undefined : payments;
}

/** Whether parts that were captured from several holds together take all of the first one, so that no other hold is needed. */
export function isPaidInParts(payments: PaidTwice): boolean {
  const hold = firstHoldOf(payments);
  return hold !== undefined && areParts(payments) && keptMinorOf(payments.flat()) >= hold.minor;
}

/** Whether each hold was captured for other parts of the order, and all parts fit into the first one. */
function areParts(payments: PaidTwice): boolean {
  const hold = firstHoldOf(payments);
  if (hold === undefined) return false;
  const charges = payments.flat();
  return (
    minorOfParts(payments) === minorTakenBy(charges) &&
    keptMinorOf(charges) <= captureCapMinor(hold)
  );
}

/**
 * What the buyer ordered, if several payments hold its money: what the first one took, or all parts that were captured from
 * several holds, up to the amount of the first one.
 */
export function amountsOrdered(payments: PaidTwice): readonly Money[] {
  const [first = []] = payments;
  const hold = firstHoldOf(payments);
  if (hold === undefined) return first.map(({ amount }) => amount);
  const partsMinor = Math.min(hold.minor, minorOfParts(payments));
  return [{ ...hold, minor: Math.max(minorTakenBy(first), partsMinor) }];
}

/** The amount of the first of several holds in one currency. */
function firstHoldOf(payments: PaidTwice): Money | undefined {
  const first = payments[0]?.[0]?.authorized;
  if (first === undefined) return undefined;
  const charges = payments.flat();
  const areHolds = charges.every(({ authorized }) => authorized?.currency === first.currency);
  const holds = new Set(charges.map(({ paymentId }) => paymentId));
  return areHolds && holds.size === payments.length ? first : undefined;
}

/** What the parts of an order take, where a part that was captured from several holds counts once. */
function minorOfParts(payments: PaidTwice): number {
  const most = new Map<number, number>();
  for (const charges of payments) {
    for (const [minor, { length }] of groupBy(charges, ({ amount }) => amount.minor)) {
      most.set(minor, Math.max(most.get(minor) ?? 0, length));
    }
  }
  return [...most].reduce((sum, [minor, count]) => sum + minor * count, 0);
}

/** Whether all that was captured from several holds together fits into the first one. */
export function fitIntoOneHold(payments: PaidTwice): boolean {
  const hold = firstHoldOf(payments);
  return hold !== undefined && keptMinorOf(payments.flat()) <= hold.minor;
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
