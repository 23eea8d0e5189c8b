/** What a merchant's books hold: plain records, without behaviour. */
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

/** All that is ever kept of a card: no number beyond the last four digits, no verification code. */
export interface CardFace {
  readonly brand: Brand;
  readonly last4: string;
  /** How many digits the number had; the redacted form shows one `x` for each hidden one. */
  readonly panLength: number;
  readonly expireMonth: number;
  readonly expireYear: number;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly billingAddress: Address | undefined;
  /** The outcome its number asks for, where it was a magic one. */
  readonly asksFor: string | undefined;
}

/** A card in the vault. */
export interface Card extends CardFace {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** From this instant on the entry cannot be paid with. */
  readonly validUntilMs: number;
  readonly externalCustomerId: string | undefined;
  readonly payerId: string | undefined;
  readonly merchantReference: string | undefined;
  readonly externalCardId: string | undefined;
}

export type Intent = 'sale' | 'authorize';

/** What was paid with: the vaulted card as it was then, or the face of a raw card. */
export type Instrument =
  | {
      readonly kind: 'token';
      readonly cardId: string;
      readonly externalCustomerId: string | undefined;
      readonly payerId: string | undefined;
      readonly firstName: string | undefined;
      readonly lastName: string | undefined;
      readonly asksFor: string | undefined;
      readonly last4: string;
      readonly brand: Brand;
      readonly expireMonth: number;
      readonly expireYear: number;
    }
  | { readonly kind: 'card'; readonly face: CardFace };

export interface ShippingAddress extends Address {
  readonly recipientName: string | undefined;
}

/** The free words of a transaction. */
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
  /** Its processing failed once the record was made: nothing came of it. */
  readonly failed: boolean;
  readonly related: AppendList<RelatedResource>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Something money can be given back from. */
export interface Refundable {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Money;
  /** What was given back so far, in minor units of `amount.currency`. */
  readonly refundedMinor: number;
  readonly refundIds: AppendList<string>;
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

export interface Authorization {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: Money;
  readonly details: AmountDetails | undefined;
  /** What was taken so far, in minor units of `amount.currency`. */
  readonly capturedMinor: number;
  /** No further capture: a final one was made, or all of the amount was taken. */
  readonly closed: boolean;
  readonly voided: boolean;
  /** What the issuer's side reported when the money was held (contract.md §4.1). */
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
  /** The sale or capture the money came from. */
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
