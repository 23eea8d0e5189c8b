/** The body of a payment request. */
import { z } from '@hono/zod-openapi';
import { DetailedAmountIn, RawCardAddressIn, ShippingAddressIn } from './common.ts';
import { exampleBodies, exampleIds } from './examples.ts';
import {
  amountText,
  callerId,
  currencyCode,
  filledText,
  ignored,
  oneOf,
  requiredIssue,
  text,
} from './fields.ts';
import { cardIgnoredKeys, cardNumberFields } from './vault.ts';

const RawCardIn = z
  .strictObject({
    ...cardNumberFields,
    billing_address: RawCardAddressIn.optional(),
    ...ignored(
      ...cardIgnoredKeys,
      'external_customer_id',
      'payer_id',
      'merchant_id',
      'external_card_id',
      'billing_country',
    ),
  })
  .openapi('RawCardInput');

const CardTokenIn = z
  .strictObject({
    credit_card_id: filledText(256).openapi({ example: exampleIds.card }),
    external_customer_id: callerId(256).optional().openapi({ example: 'cust-42' }),
    payer_id: callerId(256).optional().openapi({ deprecated: true }),
    ...ignored('last4', 'type', 'expire_month', 'expire_year'),
  })
  .openapi('CardTokenInput');

/** One funding instrument: a vaulted card or a raw card. `payment_card` is another name for a raw card. */
const FundingInstrumentIn = z
  .strictObject({
    credit_card_token: CardTokenIn.optional(),
    credit_card: RawCardIn.optional(),
    payment_card: RawCardIn.optional(),
    ...ignored('funding_option_id'),
  })
  .refine(
    (instrument) =>
      [instrument.credit_card_token, instrument.credit_card, instrument.payment_card].filter(
        (one) => one !== undefined,
      ).length === 1,
    {
      path: ['credit_card_token'],
      error: 'Exactly one of credit_card_token and credit_card is required',
    },
  )
  .openapi('FundingInstrumentInput');

/** `Seed silent:` the real service also accepts wallets. This sandbox supports cards only, and the message says so. */
const walletIssue = 'This sandbox supports credit_card only, not wallet payments';
/** `Seed silent:` orders are a wallet flow on the real service. */
const intentIssue =
  'Value is invalid (must be sale or authorize; this sandbox does not support order payments)';

const digits = z
  .union([
    z.string().regex(/^\d{1,10}$/, 'Must be numeric'),
    z.int().nonnegative().max(9_999_999_999).transform(String),
  ])
  .openapi({
    type: ['string', 'integer'],
    minimum: 0,
    maximum: 9_999_999_999,
    pattern: String.raw`^\d{1,10}$`,
    example: '1',
  });

const ItemIn = z
  .object({
    quantity: digits,
    price: amountText,
    currency: currencyCode,
    name: z.string().transform(cut(127)).optional(),
    sku: text(127).optional(),
    description: text(127).optional(),
    tax: amountText.optional(),
  })
  .openapi('ItemInput');

/** Truncates a text that is too long. Length is counted in characters, like all limits of texts. */
function cut(max: number) {
  return (value: string) => [...value.replaceAll('\0', '')].slice(0, max).join('');
}

/** Empty means none, so two orders without a number are not duplicates. */
export const invoiceNumber = callerId(127);

const TransactionIn = z
  .strictObject({
    amount: DetailedAmountIn,
    description: text(127).optional(),
    reference_id: text(256).optional(),
    note_to_payee: text(255).optional(),
    custom: text(127).optional(),
    invoice_number: invoiceNumber
      .optional()
      .openapi({ type: 'string', maxLength: 127, example: 'INV-1042' }),
    notify_url: text(2048).optional(),
    order_url: text(2048).optional(),
    item_list: z
      .object({
        items: z.array(ItemIn).max(1000).optional(),
        shipping_address: ShippingAddressIn.optional(),
      })
      .optional(),
    ...ignored(
      'soft_descriptor',
      'soft_descriptor_city',
      'payment_options',
      'payee',
      'purchase_order',
      'purchase_unit_reference_id',
      'external_funding',
      'related_resources',
      'transactions',
      'type',
      'allowed_payment_method',
    ),
  })
  .openapi('TransactionInput');

export const PaymentIn = z
  .strictObject({
    intent: oneOf(['sale', 'authorize'], intentIssue),
    payer: z.strictObject({
      payment_method: oneOf(['credit_card'], walletIssue),
      funding_instruments: z
        .array(FundingInstrumentIn)
        .min(1, requiredIssue)
        .max(1, 'Only one funding instrument is allowed'),
      ...ignored(
        'payer_info',
        'status',
        'account_type',
        'account_age',
        'funding_option_id',
        'funding_option',
        'related_funding_option',
        'external_selected_funding_instrument_type',
      ),
    }),
    transactions: z
      .array(TransactionIn)
      .min(1, requiredIssue)
      .max(1, 'Only one transaction is allowed'),
    note_to_payer: text(165).optional(),
    ...ignored(
      'id',
      'state',
      'create_time',
      'update_time',
      'links',
      'redirect_urls',
      'experience_profile_id',
      'application_context',
      'payee',
      'cart',
      'potential_payer_info',
      'failed_transactions',
      'failure_reason',
      'billing_agreement_tokens',
      'credit_financing_offered',
      'payment_instruction',
    ),
  })
  .openapi('PaymentInput', { example: exampleBodies.payment });
