/** A sale: authorize and capture in one step. It holds the money until it is refunded. */
import type { ProcessorResponse } from './bend.ts';
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

/** Whether the money of a sale has come. Only a completed one holds any. */
export type Settlement = 'completed' | 'pending' | 'denied' | 'reversed';

export interface Sale extends Refundable {
  readonly kind: 'sale';
  readonly settlement: Settlement;
  /** Why it is pending. */
  readonly reasonCode: string | undefined;
  readonly processor: ProcessorResponse | undefined;
  /** Whether its money is the merchant's and yet not to be used (`payment_hold_status`, contract.md §4.1). */
  readonly hold: 'held' | 'released' | undefined;
  readonly dispute: 'open' | 'won' | 'lost' | undefined;
}

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
