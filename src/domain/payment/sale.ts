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

/** The state of a sale. For a completed one it shows how much was refunded (contract.md §4.1). */
export function saleState(sale: Sale): RefundableState | Settlement {
  return sale.settlement === 'completed' ? refundableState(sale) : sale.settlement;
}

export function findSale(books: Books, id: string): Result<Sale> {
  const sale = books.sales.get(id);
  return sale === undefined ? refuseUnknown('sale') : accept(sale);
}
