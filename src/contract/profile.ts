/**
 * The differences between the seed document and the recorded service. They concern the form of answers; cards and money
 * behave the same in both.
 */
export interface Profile {
  /** State shown for a payment made with a vaulted card. One made with a raw card is always `approved`. */
  readonly vaultedPaymentState: 'created' | 'approved';
  /** Method named by a sale's `refund` link. The refund itself is always made by POST. */
  readonly refundLinkMethod: 'GET' | 'POST';
  /** Form of `expire_month` and `expire_year` of a vault card. Payments have strings under both profiles. */
  readonly vaultExpiryAs: 'integer' | 'string';
  readonly paymentTimes: 'milliseconds' | 'seconds';
  /** Whether `amount.details.subtotal` is added if the client sent no details. */
  readonly addsSubtotal: boolean;
}

export type ProfileName = 'documented' | 'recorded';

export const profiles = {
  /** Exactly as in the seed document. */
  documented: {
    vaultedPaymentState: 'created',
    refundLinkMethod: 'GET',
    vaultExpiryAs: 'integer',
    paymentTimes: 'milliseconds',
    addsSubtotal: false,
  },
  /** As recorded from the real service (contract.md §10). */
  recorded: {
    vaultedPaymentState: 'approved',
    refundLinkMethod: 'POST',
    vaultExpiryAs: 'string',
    paymentTimes: 'seconds',
    addsSubtotal: true,
  },
} as const satisfies Record<ProfileName, Profile>;

export const profileNames = Object.keys(profiles) as readonly ProfileName[];
