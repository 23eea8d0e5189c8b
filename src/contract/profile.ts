/**
 * The points in which the seed document and the recorded service differ. They are about the form of answers; cards and
 * money behave the same in both.
 */
export interface Profile {
  /** State shown for a payment made with a vaulted card. One made with a raw card is always `approved`. */
  readonly vaultedPaymentState: 'created' | 'approved';
  /** Method named by a sale's `refund` link. The refund itself is always made by POST. */
  readonly refundLinkMethod: 'GET' | 'POST';
  readonly expiryAs: 'integer' | 'string';
  readonly paymentTimes: 'milliseconds' | 'seconds';
  /** Whether `amount.details.subtotal` is added where the client sent no details. */
  readonly addsSubtotal: boolean;
}

export const profiles = {
  /** The seed document, to the letter. */
  documented: {
    vaultedPaymentState: 'created',
    refundLinkMethod: 'GET',
    expiryAs: 'integer',
    paymentTimes: 'milliseconds',
    addsSubtotal: false,
  },
  /** The real service as it was recorded (contract.md §10). */
  recorded: {
    vaultedPaymentState: 'approved',
    refundLinkMethod: 'POST',
    expiryAs: 'string',
    paymentTimes: 'seconds',
    addsSubtotal: true,
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as readonly ProfileName[];
