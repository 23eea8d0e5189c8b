/** A sale: authorize and capture in one step. It holds the money until it is refunded. */
import type { Money } from './money.ts';
import type { Books } from './ports.ts';
import { accept, refuseUnknown, type Result } from './refusals.ts';

/** Something money can be given back from. */
export interface Refundable {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Money;
  /** What was given back so far, in minor units of `amount.currency`. */
  readonly refundedMinor: number;
  readonly refundIds: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface Sale extends Refundable {
  readonly kind: 'sale';
}

export type RefundableState = 'completed' | 'partially_refunded' | 'refunded';

/** `refunded` or `partially_refunded` exactly when money went back (contract.md §4.1). */
export function refundableState(of: Refundable): RefundableState {
  if (of.refundedMinor === 0) return 'completed';
  return of.refundedMinor < of.amount.minor ? 'partially_refunded' : 'refunded';
}

export function findSale(books: Books, id: string): Result<Sale> {
  const sale = books.sales.get(id);
  return sale === undefined ? refuseUnknown('sale') : accept(sale);
}
