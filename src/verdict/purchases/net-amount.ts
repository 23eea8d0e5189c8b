/** What the merchant keeps of a sale or capture, by the records alone: whoever made it, and whatever the journal holds. */
import type { Capture, Refund, Sale } from '../../domain/records.ts';
import type { Records } from '../evidence/journal-index.ts';

export type Taken = Sale | Capture;

/** Money came, whatever happened to it later. */
export function hasCome(made: Taken): boolean {
  return (
    made.kind === 'capture' || made.settlement === 'completed' || made.settlement === 'reversed'
  );
}

/** The bank has taken all of it back. */
export function isTakenBack(made: Taken): boolean {
  return (
    made.kind === 'sale' &&
    (made.settlement === 'reversed' || made.dispute === 'open' || made.dispute === 'lost')
  );
}

/** What is left once refunds that are under way have settled, in minor units; never less than nothing. */
export function keptMinorOf(made: Taken): number {
  return hasCome(made) && !isTakenBack(made) ? made.amount.minor - made.refundedMinor : 0;
}

/** What refunds that are under way will take of it, in minor units. */
export function givingBackMinorOf(made: Taken, records: Records): number {
  const pending = refundsOf(made, records).filter(({ settlement }) => settlement === 'pending');
  return pending.reduce((sum, { amount }) => sum + amount.minor, 0);
}

export function refundsOf({ refundIds }: Taken, { refunds }: Records): Refund[] {
  return refundIds.all().flatMap((id) => refunds.get(id) ?? []);
}

/** The sales and captures of a payment, in the order they were made. */
export function takenBy(paymentId: string, { payments, sales, captures }: Records): Taken[] {
  const related = payments.get(paymentId)?.related.all() ?? [];
  return related.flatMap(({ id }): Taken[] => {
    const made = sales.get(id) ?? captures.get(id);
    return made === undefined ? [] : [made];
  });
}
