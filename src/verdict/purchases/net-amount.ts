/** What the merchant keeps of a sale or capture. It reads the records alone, so it works without a journal. */
import type { Capture, Refund, Sale } from '../../domain/records.ts';
import { isChargedBack } from '../../domain/payment/sale.ts';
import { findCharge, type Records } from '../evidence/records.ts';

/** A record that charges a card. */
export type ChargeRecord = Sale | Capture;

/** Whether the money arrived, whatever happened to it later. */
export function hasTakenMoney(charge: ChargeRecord): boolean {
  return (
    charge.kind === 'capture' ||
    charge.settlement === 'completed' ||
    charge.settlement === 'reversed'
  );
}

/** Whether the bank took all of it back: by a reversal, or a dispute that is open or lost. */
export function isReversedByBank(charge: ChargeRecord): boolean {
  return charge.kind === 'sale' && (charge.settlement === 'reversed' || isChargedBack(charge));
}

/** What remains after all refunds, pending ones included, in minor units. Never negative. */
export function retainedMinorOf(charge: ChargeRecord): number {
  return hasTakenMoney(charge) && !isReversedByBank(charge)
    ? charge.amount.minor - charge.refundedMinor
    : 0;
}

/**
 * What pending refunds will take of it, in minor units.
 *
 * @param stillPending Ids of refunds that are pending although their records are settled.
 */
export function pendingRefundMinorOf(
  charge: ChargeRecord,
  records: Records,
  stillPending: ReadonlySet<string>,
): number {
  return refundsOf(charge, records)
    .filter(({ id, settlement }) => settlement === 'pending' || stillPending.has(id))
    .reduce((sum, { amount }) => sum + amount.minor, 0);
}

export function refundsOf({ refundIds }: ChargeRecord, { refunds }: Records): Refund[] {
  return refundIds.toArray().flatMap((id) => refunds.get(id) ?? []);
}

/** The sales and captures of a payment, in the order in which they were created. */
export function chargeRecordsOf(paymentId: string, records: Records): ChargeRecord[] {
  const related = records.payments.get(paymentId)?.related.toArray() ?? [];
  return related.flatMap(({ id }) => findCharge(records, id) ?? []);
}
