/** What the merchant keeps of a sale or capture, by the records alone: whoever made it, and whatever the journal holds. */
import type { Capture, Refund, Sale } from '../../domain/records.ts';
import type { Records } from '../evidence/journal-index.ts';

export type ChargeRecord = Sale | Capture;

/** Money came, whatever happened to it later. */
export function hasTakenMoney(made: ChargeRecord): boolean {
  return (
    made.kind === 'capture' || made.settlement === 'completed' || made.settlement === 'reversed'
  );
}

/** The bank has taken all of it back. */
export function isReversedByBank(made: ChargeRecord): boolean {
  return (
    made.kind === 'sale' &&
    (made.settlement === 'reversed' || made.dispute === 'open' || made.dispute === 'lost')
  );
}

/** What is left once refunds that are under way have settled, in minor units; never less than nothing. */
export function retainedMinorOf(made: ChargeRecord): number {
  return hasTakenMoney(made) && !isReversedByBank(made)
    ? made.amount.minor - made.refundedMinor
    : 0;
}

/** What refunds that are under way will take of it, in minor units. */
export function pendingRefundMinorOf(made: ChargeRecord, records: Records): number {
  const pending = refundsOf(made, records).filter(({ settlement }) => settlement === 'pending');
  return pending.reduce((sum, { amount }) => sum + amount.minor, 0);
}

export function refundsOf({ refundIds }: ChargeRecord, { refunds }: Records): Refund[] {
  return refundIds.toArray().flatMap((id) => refunds.get(id) ?? []);
}

/** The sales and captures of a payment, in the order they were made. */
export function chargeRecordsOf(
  paymentId: string,
  { payments, sales, captures }: Records,
): ChargeRecord[] {
  const related = payments.get(paymentId)?.related.toArray() ?? [];
  return related.flatMap(({ id }): ChargeRecord[] => {
    const made = sales.get(id) ?? captures.get(id);
    return made === undefined ? [] : [made];
  });
}
