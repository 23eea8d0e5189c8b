/** Sales: authorize and capture in one step. */
import type { Books } from '../ports.ts';
import { accept, refuseUnknown, type Result } from '../refusals.ts';
import type { Refundable, Sale, Settlement } from '../records.ts';

export type RefundableState = 'completed' | 'partially_refunded' | 'refunded';

/** The state of a sale or capture, by how much was refunded (contract.md §4.1). */
export function refundableState(of: Refundable): RefundableState {
  if (of.refundedMinor === 0) return 'completed';
  return of.refundedMinor < of.amount.minor ? 'partially_refunded' : 'refunded';
}

/** Whether the bank holds the money of a sale because of a dispute that is open or lost. */
export function isChargedBack({ dispute }: Sale): boolean {
  return dispute === 'open' || dispute === 'lost';
}

/**
 * The state of a sale. For a completed one it shows how much was refunded (contract.md §4.1).
 *
 * `Seed silent:` a sale whose money a dispute took back is `reversed` with `reason_code` CHARGEBACK. It is `completed` again
 * once the dispute is won (contract.md §4.1). So a client can see a dispute before it refunds.
 */
export function saleState(sale: Sale): RefundableState | Settlement {
  if (isChargedBack(sale)) return 'reversed';
  return sale.settlement === 'completed' ? refundableState(sale) : sale.settlement;
}

/** Why a sale is pending or reversed. */
export function saleReasonCode(sale: Sale): string | undefined {
  return isChargedBack(sale) ? 'CHARGEBACK' : sale.reasonCode;
}

export function findSale(books: Books, id: string): Result<Sale> {
  const sale = books.sales.get(id);
  return sale === undefined ? refuseUnknown('sale') : accept(sale);
}
