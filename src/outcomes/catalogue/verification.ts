/** Checks of the verification code and the billing address. */
import type { ProcessorResponse } from '../../domain/payment/overrides.ts';
import { forcedError } from './errors.ts';
import { byRule, type Row, refused } from './row.ts';

/** Refusals: nothing is stored and nothing is paid. */
const failedCheck = { ...refused, retry: 'after-fix' } as const;

/** Payments that succeed although a check failed. The merchant's own policy decides. */
function accepted(processor: ProcessorResponse) {
  return {
    operations: ['payment.create'],
    phase: 'after-commit',
    commit: 'committed',
    effect: { kind: 'payment', overrides: { processor } },
    concludes: 'OK',
    retry: 'not-needed',
    provenance: 'profile',
  } as const satisfies Partial<Row>;
}

export const verification: readonly Row[] = [
  {
    ...failedCheck,
    id: 'cvv-mismatch-declined',
    tier: 1,
    operations: ['card.create', 'payment.create'],
    triggers: [...byRule, 'card', 'name', 'amount'],
    cards: ['4000000000000127'],
    names: ['CCREJECT-CVV_F'],
    cents: ['82'],
    response: '400 CREDIT_CARD_CVV_CHECK_FAILED',
    effect: forcedError('CREDIT_CARD_CVV_CHECK_FAILED', { response_code: '00N7', cvv_code: 'N' }),
    cause: 'The verification code is wrong.',
    correctClient: 'Asks for the code again, a few times at most, and never stores it.',
  },
  {
    ...accepted({ cvv_code: 'N' }),
    id: 'cvv-mismatch-accepted',
    tier: 2,
    triggers: [...byRule, 'card'],
    cards: ['4000000000000101'],
    response: '201 with cvv_code N',
    cause: 'The issuer approves although the code is wrong.',
    correctClient: 'Ships, reviews or refunds by its own policy.',
  },
  {
    ...accepted({ cvv_code: 'P' }),
    id: 'cvv-not-checked',
    tier: 3,
    triggers: byRule,
    response: '201 with cvv_code P',
    cause: 'A payment with a vaulted card has no code to check.',
    correctClient: 'Does not require a match for stored cards.',
  },
  {
    ...failedCheck,
    id: 'avs-mismatch-declined',
    tier: 2,
    operations: ['card.create', 'payment.create'],
    triggers: [...byRule, 'card'],
    cards: ['4000000000000010'],
    response: '400 CREDIT_CARD_REFUSED with avs_code N',
    effect: forcedError('CREDIT_CARD_REFUSED', { avs_code: 'N' }),
    cause: 'Neither the street nor the postal code matches.',
    correctClient: 'Lets the buyer correct the address.',
  },
  {
    ...accepted({ avs_code: 'A' }),
    id: 'avs-postcode-mismatch-accepted',
    tier: 2,
    triggers: [...byRule, 'card'],
    cards: ['4000000000000036'],
    response: '201 with avs_code A',
    cause: 'The street matches, the postal code does not.',
    correctClient: 'Decides by its own policy.',
  },
  {
    ...accepted({ avs_code: 'Z' }),
    id: 'avs-street-mismatch-accepted',
    tier: 3,
    triggers: [...byRule, 'card'],
    cards: ['4000000000000028'],
    response: '201 with avs_code Z',
    cause: 'The postal code matches, the street does not.',
    correctClient: 'Decides by its own policy.',
  },
  {
    ...accepted({ avs_code: 'U' }),
    id: 'avs-unavailable',
    tier: 2,
    triggers: [...byRule, 'card'],
    cards: ['4000000000000044'],
    response: '201 with avs_code U, or G for a card from outside the US',
    cause: 'The issuer does not check addresses.',
    correctClient: 'Does not treat a missing check as a failed one.',
  },
  {
    ...failedCheck,
    id: 'address-combination-invalid',
    tier: 3,
    operations: ['card.create'],
    triggers: byRule,
    response: '400 INVALID_CITY_STATE_ZIP',
    effect: forcedError('INVALID_CITY_STATE_ZIP'),
    cause: 'City, state and postal code do not belong together.',
    correctClient: 'Shows the error at the address fields.',
  },
];
