/** A sale: authorize and capture in one step. It holds the money until it is refunded. */
import type { Books } from '../ports.ts';
import { accept, refuseUnknown, type Result } from '../refusals.ts';
import type { Refundable, Sale, Settlement } from '../records.ts';

export type RefundableState = 'completed' | 'partially_refunded' | 'refunded';

/** `refunded` or `partially_refunded` exactly when money went back (contract.md §4.1). */
export function refundableState(of: Refundable): RefundableState {
  if (of.refundedMinor === 0) return 'completed';
  return of.refundedMinor < of.amount.minor ? 'partially_refunded' : 'refunded';
}

/** A completed sale's state says what was refunded of it (contract.md §4.1). */
export function saleState(sale: Sale): RefundableState | Settlement {
  return sale.settlement === 'completed' ? refundableState(sale) : sale.settlement;
}

export function findSale(books: Books, id: string): Result<Sale> {
  const sale = books.sales.get(id);
  return sale === undefined ? refuseUnknown('sale') : accept(sale);
}
