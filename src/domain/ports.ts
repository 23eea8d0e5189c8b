/** What the domain needs from the world around it: records, time, ids. It brings neither itself. */
import type { ScheduledEvent } from './payment/overrides.ts';
import type { Transfer } from './money/ledger.ts';
import type { Authorization, Capture, Card, Payment, Refund, Sale } from './records.ts';

/** New ids, drawn from the merchant's own dice. */
export interface Ids {
  card(): string;
  payment(): string;
  /** Sales, authorizations, captures and refunds share one form. */
  transaction(): string;
}

export interface Records<T> {
  get(id: string): T | undefined;
}

/** Rules a merchant's world may choose. */
export interface MerchantPolicy {
  /** Cards past their expiry month may be stored, for old test data. */
  readonly allowPastExpiry: boolean;
  /** `lenient` lets a payment leave out the customer id that the card was stored with; a wrong one is always refused. */
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

/** One merchant's books as the domain reads them. Nothing here writes. */
export type Books = { readonly [K in keyof RecordTypes]: Records<RecordTypes[K]> } & {
  readonly ids: Ids;
  readonly policy: MerchantPolicy;
  nowMs(): number;
  /** The outcome that a card number asks for by being what it is; only its id is ever kept. */
  outcomeOfNumber(pan: string): string | undefined;
  /** Whether a card number may be used here; not where it could be somebody's card and such are refused. */
  acceptsNumber(pan: string): boolean;
  /** The payment that already carries this invoice number. */
  paymentWithInvoice(invoiceNumber: string): string | undefined;
};

export type Write =
  | {
      [K in keyof RecordTypes]: { readonly table: K; readonly record: RecordTypes[K] };
    }[keyof RecordTypes]
  | { readonly table: 'cards'; readonly removed: string };

/**
 * What an accepted operation would do: records to write and money to move. The domain proposes it and changes
 * nothing; the world applies it in one synchronous step, the commit.
 */
export interface Change {
  /** Id of the record that the answer shows. */
  readonly subject: string;
  readonly writes: readonly Write[];
  readonly transfers: readonly Transfer[];
  /** What falls due later because of it. */
  readonly scheduled?: readonly ScheduledEvent[] | undefined;
}
