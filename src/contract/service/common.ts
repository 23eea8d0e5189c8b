/** Schemas that several resources share: links, errors, amounts, addresses. */
import { z } from '@hono/zod-openapi';
import { exampleDebugId, exampleDetail } from './examples.ts';
import {
  amountText,
  blankIssue,
  countriesWithState,
  countryCode,
  currencyCode,
  filledText,
  isBlank,
  ignored,
  maybeText,
  text,
  totalText,
} from './fields.ts';

export const Link = z
  .object({
    href: z.string().openapi({ example: 'http://localhost:3000/v1/vault/credit-card/CARD-…' }),
    rel: z.string(),
    method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  })
  .openapi('Link');

/** The issuer's report on a payment; keys as in public models (contract.md §4.1, §5.1). */
export const ProcessorOut = z
  .object({
    response_code: maybeText,
    avs_code: maybeText,
    cvv_code: maybeText,
    advice_code: maybeText,
  })
  .openapi('ProcessorResponse');

export const ErrorBody = z
  .object({
    name: z.string().openapi({ example: 'VALIDATION_ERROR' }),
    details: z
      .array(
        z.object({
          field: z.string().openapi({ example: exampleDetail.field }),
          issue: z.string().openapi({ example: exampleDetail.issue }),
        }),
      )
      .optional(),
    message: z.string(),
    information_link: z.string(),
    debug_id: z.string().openapi({ example: exampleDebugId }),
    processor_response: ProcessorOut.optional(),
  })
  .openapi('Error');

export const UnauthenticatedBody = ErrorBody.extend({
  error: z.literal('invalid_token'),
  error_description: z.string(),
}).openapi('Unauthenticated', {
  description: 'The body has the keys of both generations of clients.',
});

/** A time in answers: ISO 8601 in UTC. Payments under the `documented` profile have milliseconds. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
  .openapi({ format: 'date-time', example: '2026-05-06T07:08:09Z' });

export const MoneyOut = z
  .object({
    total: z.string().openapi({ example: '30.11' }),
    currency: z.string().openapi({ example: 'USD' }),
  })
  .openapi('Amount');

const detailsOut = z.object({
  subtotal: maybeText,
  shipping: maybeText,
  tax: maybeText,
  handling_fee: maybeText,
  shipping_discount: maybeText,
  insurance: maybeText,
  gift_wrap: maybeText,
});

export const DetailedAmountOut = MoneyOut.extend({ details: detailsOut.optional() }).openapi(
  'DetailedAmount',
);

export const MoneyIn = z
  .strictObject({ total: totalText, currency: currencyCode, ...ignored('details') })
  .openapi('AmountInput');

const maybeAmount = amountText.optional();

export const DetailedAmountIn = z
  .strictObject({
    total: totalText,
    currency: currencyCode,
    details: z
      .strictObject({
        subtotal: maybeAmount,
        shipping: maybeAmount,
        tax: maybeAmount,
        handling_fee: maybeAmount,
        shipping_discount: maybeAmount,
        insurance: maybeAmount,
        gift_wrap: maybeAmount,
        ...ignored('fee'),
      })
      .optional(),
  })
  .openapi('DetailedAmountInput');

export const AddressOut = z
  .object({
    line1: z.string(),
    line2: maybeText,
    city: maybeText,
    state: maybeText,
    postal_code: maybeText,
    country_code: z.string(),
    phone: maybeText,
  })
  .openapi('Address');

/** Billing address of the vault: `line1`, `city`, `country_code`, and `state` if the country has states. */
export const BillingAddressIn = z
  .object({
    line1: filledText(300),
    line2: filledText(300).optional(),
    city: filledText(64),
    state: text(40).optional(),
    postal_code: text(20).optional(),
    country_code: countryCode,
    phone: text(50).optional(),
  })
  .refine((address) => !countriesWithState.has(address.country_code) || !isBlank(address.state), {
    path: ['state'],
    error: blankIssue,
  })
  .openapi('BillingAddressInput');

/** Billing address of a raw card in a payment: it needs no `state` (contract.md §2.4). */
export const RawCardAddressIn = z
  .object({
    line1: filledText(300),
    line2: filledText(300).optional(),
    city: text(64).optional(),
    state: text(300).optional(),
    postal_code: text(20).optional(),
    country_code: countryCode,
    phone: text(50).optional(),
  })
  .openapi('RawCardAddressInput');

export const ShippingAddressIn = RawCardAddressIn.extend({
  recipient_name: text(127).optional(),
}).openapi('ShippingAddressInput');

export const ShippingAddressOut = AddressOut.extend({
  recipient_name: maybeText,
}).openapi('ShippingAddress');
