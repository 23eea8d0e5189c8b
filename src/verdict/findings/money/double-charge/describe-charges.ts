/** Says how often a purchase was charged, and what was taken. */
import type { Money } from '../../../../domain/money/money.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { capitalize, formatNumber, formatTimes, listAmounts } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import { minorTakenBy, type Payments } from './kept-money.ts';

/**
 * Says how often a purchase was charged, when, and how much each time.
 *
 * @param payments Those that still hold money.
 */
export function describeCharges(
  name: string,
  purchase: Purchase,
  attempts: readonly StoredEntry[],
  payments: Payments,
): string {
  return `${capitalize(name)} was charged ${countCharges(purchase, attempts, payments)}: ${listAmounts(amountsOf(payments.values()))}.`;
}

/**
 * How often a purchase was charged, and how many of these charges are left. What was doubled on the way counts only if it is
 * among the payments, because it is told by itself.
 */
function countCharges(
  purchase: Purchase,
  attempts: readonly StoredEntry[],
  payments: Payments,
): string {
  const { size } = payments;
  const charged = purchase
    .chargesBy(attempts)
    .filter((charge) => charge.hasTakenMoney && (!charge.isTwin || payments.has(charge.paymentId)));
  const count = new Set(charged.map(({ paymentId }) => paymentId)).size;
  return count === size
    ? formatTimes(size)
    : `${formatTimes(count)}, and ${formatNumber(size)} of these charges are left`;
}

/** What each payment took in all, and when it began to. The earliest comes first. */
export function amountsOf(payments: Iterable<readonly Charge[]>): AmountAndTime[] {
  const amounts = [...payments].flatMap((charges) => {
    const [first] = charges;
    if (first === undefined) return [];
    const amount = { ...first.amount, minor: minorTakenBy(charges) };
    return [{ amount, atMs: first.atMs }];
  });
  return amounts.sort((one, other) => one.atMs - other.atMs);
}

/** An amount, and when it was taken. */
interface AmountAndTime {
  readonly amount: Money;
  readonly atMs: number;
}
