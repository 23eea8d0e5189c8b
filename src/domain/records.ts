/** The records of a merchant: plain data without behaviour. */
import type { Amount, AmountDetails, Item } from './payment/amount.ts';
import type { ProcessorResponse } from './payment/overrides.ts';
import type { Brand } from './card/brand.ts';
import type { AppendList } from './append-list.ts';
import type { Money } from './money/money.ts';

export interface Address {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly countryCode: string;
  readonly phone?: string | undefined;
}

/** All that is kept of a card: only the last four digits of its number, no verification code. */
export interface CardFace {
  readonly brand: Brand;
  readonly last4: string;
  /** The number of digits. The redacted number shows one `x` for each hidden digit. */
  readonly panLength: number;
  readonly expireMonth: number;
  readonly expireYear: number;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly billingAddress: Address | undefined;
  /** The outcome that its number triggers, if it is a magic number. */
  readonly triggeredOutcome: string | undefined;
}

/** A card in the vault. */
export interface Card extends CardFace {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** From this time on no payment can use the card. */
  readonly validUntilMs: number;
  readonly externalCustomerId: string | undefined;
  readonly payerId: string | undefined;
  readonly merchantReference: string | undefined;
  readonly externalCardId: string | undefined;
}

export type Intent = 'sale' | 'authorize';

/** What paid: a copy of the vaulted card, or the face of a raw card. */
export type Instrument =
  | {
      readonly kind: 'token';
      readonly cardId: string;
      readonly externalCustomerId: string | undefined;
      readonly payerId: string | undefined;
      readonly firstName: string | undefined;
      readonly lastName: string | undefined;
      readonly triggeredOutcome: string | undefined;
      readonly last4: string;
      readonly brand: Brand;
      readonly expireMonth: number;
      readonly expireYear: number;
    }
  | { readonly kind: 'card'; readonly face: CardFace };

export interface ShippingAddress extends Address {
  readonly recipientName: string | undefined;
}

/** The free-text fields of a transaction. */
export interface TransactionNotes {
  readonly referenceId: string | undefined;
  readonly description: string | undefined;
  readonly noteToPayee: string | undefined;
  readonly custom: string | undefined;
  readonly invoiceNumber: string | undefined;
  readonly shippingAddress: ShippingAddress | undefined;
}

export interface Transaction extends TransactionNotes {
  readonly amount: Amount;
  readonly items: readonly Item[] | undefined;
}

export interface Payment {
  readonly id: string;
  readonly intent: Intent;
  readonly instrument: Instrument;
  readonly transaction: Transaction;
  /** Processing failed after the payment was created: it has no sale or authorization. */
  readonly failed: boolean;
  readonly related: AppendList<RelatedResource>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A sale or capture, which can be refunded. */
export interface Refundable {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Money;
  /** The refunded amount so far, in minor units of `amount.currency`. */
  readonly refundedMinor: number;
  readonly refundIds: AppendList<string>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Whether the money of a sale has arrived. Only a completed sale holds money. */
export type Settlement = 'completed' | 'pending' | 'denied' | 'reversed';

export interface Sale extends Refundable {
  readonly kind: 'sale';
  readonly settlement: Settlement;
  /** Why it is pending. */
  readonly reasonCode: string | undefined;
  readonly processor: ProcessorResponse | undefined;
  /**
   * Whether the merchant owns the money but cannot use it yet (`payment_hold_status`, contract.md
   * §4.1).
   */
  readonly hold: 'held' | 'released' | undefined;
  readonly dispute: 'open' | 'won' | 'lost' | undefined;
}

export interface Authorization {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Money;
  readonly details: AmountDetails | undefined;
  /** The captured amount so far, in minor units of `amount.currency`. */
  readonly capturedMinor: number;
  /** No more captures: a final one was made, or the full amount was captured. */
  readonly closed: boolean;
  readonly voided: boolean;
  /** What the processor reported at authorization (contract.md §4.1). */
  readonly processor: ProcessorResponse | undefined;
  readonly validUntilMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface Capture extends Refundable {
  readonly kind: 'capture';
  readonly authorizationId: string;
  readonly isFinal: boolean;
  readonly invoiceNumber: string | undefined;
}

export interface Refund {
  readonly id: string;
  readonly paymentId: string;
  /** The sale or capture that was refunded. */
  readonly of: { readonly kind: 'sale' | 'capture'; readonly id: string };
  readonly amount: Money;
  readonly settlement: 'completed' | 'pending' | 'failed';
  readonly description: string | undefined;
  readonly reason: string | undefined;
  readonly invoiceNumber: string | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type RelatedKind = 'sale' | 'authorization' | 'capture' | 'refund';

export interface RelatedResource {
  readonly kind: RelatedKind;
  readonly id: string;
}
