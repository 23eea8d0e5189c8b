/** What the domain needs from the world: records, time, ids. */
import type { ScheduledEvent } from './payment/overrides.ts';
import type { Transfer } from './money/ledger.ts';
import type { Authorization, Capture, Card, Payment, Refund, Sale } from './records.ts';

/** Creates new ids from the merchant's random streams. */
export interface Ids {
  card(): string;
  payment(): string;
  /** Sales, authorizations, captures and refunds have ids of the same form. */
  transaction(): string;
}

export interface Records<T> {
  get(id: string): T | undefined;
}

/** Options of a merchant's world that change what the domain accepts. */
export interface MerchantPolicy {
  /** Accept cards past their expiry month, for old test data. */
  readonly allowPastExpiry: boolean;
  /**
   * `lenient` accepts a payment without the customer id that the card was stored with. A wrong id
   * is always refused.
   */
  readonly ownerCheck: 'strict' | 'lenient';
}

export interface RecordTypes {
  readonly cards: Card;
  readonly payments: Payment;
  readonly sales: Sale;
  readonly authorizations: Authorization;
  readonly captures: Capture;
  readonly refunds: Refund;
}

/** One merchant's records as the domain reads them. Nothing here writes. */
export type Books = { readonly [K in keyof RecordTypes]: Records<RecordTypes[K]> } & {
  readonly ids: Ids;
  readonly policy: MerchantPolicy;
  nowMs(): number;
  /** The outcome that a magic card number triggers. Only the outcome's id is kept. */
  outcomeOfNumber(pan: string): string | undefined;
  /** Whether a card number may be used. The guard may refuse numbers that could be real. */
  acceptsNumber(pan: string): boolean;
  /** The payment that already has this invoice number. */
  paymentWithInvoice(invoiceNumber: string): string | undefined;
};

export type Write =
  | {
      [K in keyof RecordTypes]: { readonly table: K; readonly record: RecordTypes[K] };
    }[keyof RecordTypes]
  | { readonly table: 'cards'; readonly removed: string };

/**
 * What an accepted operation would write: records and transfers.
 *
 * The domain plans a change and writes nothing. The world commits it in one synchronous step.
 */
export interface Change {
  /** Id of the record that the response shows. */
  readonly subject: string;
  readonly writes: readonly Write[];
  readonly transfers: readonly Transfer[];
  /** Events that follow later. */
  readonly scheduled?: readonly ScheduledEvent[] | undefined;
}
