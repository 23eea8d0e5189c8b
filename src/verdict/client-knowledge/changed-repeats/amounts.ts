/** How the amounts of two requests differ that may be for one thing. */
import type { Money } from '../../../domain/money/money.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';

/** The largest share by which two amounts may differ and still stand for one thing. */
const mostDrift = 0.02;

/** Whether two amounts are equal. */
export function isSameAmount(one: Money, other: Money): boolean {
  return one.minor === other.minor && one.currency === other.currency;
}

/**
 * Whether two different amounts may stand for one thing, as after a rate change.
 *
 * @param most The largest share by which they may differ.
 */
export function isAlmostEqual(one: Money, other: Money, most = mostDrift): boolean {
  const difference = Math.abs(one.minor - other.minor);
  return one.currency === other.currency && difference > 0 && difference <= one.minor * most;
}

/** The amount of the payment that a request created. */
export function paidAmountOf(
  { records }: JournalIndex,
  { subject = '' }: StoredEntry,
): Money | undefined {
  return records.payments.get(subject)?.transaction.amount;
}
