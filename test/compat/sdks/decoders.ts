/**
 * How the clients decode an answer: the fields of their models and the accepted types. A client ignores unknown keys, and
 * fails on null or another type in a known one (contract.md §14).
 */
import { z } from 'zod';

const someText = z.string().min(1);
/** Java, .NET, PHP, Ruby, Python and Node accept a number or its digits. */
const wholeNumber = z.union([z.int(), z.string().regex(/^[1-9]\d*$/)]);
/** A key that no answer may have, not even with null. */
const absent = z.never().optional();
const link = z.object({ href: z.url(), rel: someText, method: someText });

/** Java and Node join type and token; PHP, Java and .NET fail without a numeric lifetime. */
export const ClientToken = z.object({
  scope: someText,
  access_token: someText,
  token_type: z.literal('Bearer'),
  app_id: z.string().regex(/^APP-[0-9A-Z]{17}$/),
  // Below 120 seconds, PHP requests a new token for each call.
  expires_in: z.int().min(120),
});

/** An absent body, which a client reads as an object without keys. */
export const EmptyBody = z.undefined();

export const ClientError = z.object({
  name: someText,
  message: someText,
  information_link: z.url(),
  debug_id: someText,
  details: z.array(z.object({ field: someText, issue: someText })).optional(),
});

const address = z.object({
  line1: someText,
  line2: someText.optional(),
  city: someText.optional(),
  state: someText.optional(),
  postal_code: someText.optional(),
  country_code: z.string().length(2),
  phone: someText.optional(),
});

/** RFC 3339 in UTC. Go's parser accepts nothing else, neither null nor an empty string. */
const time = z.iso.datetime({ offset: false });

function cardModel<E extends z.ZodType>(expiry: E) {
  return z.object({
    id: z.string().regex(/^CARD-[0-9A-Z]{24}$/),
    state: someText,
    payer_id: someText.optional(),
    external_customer_id: someText.optional(),
    external_card_id: someText.optional(),
    merchant_id: someText.optional(),
    number: z.string().regex(/^x+\d{4}$/),
    type: someText,
    expire_month: expiry,
    expire_year: expiry,
    cvv2: absent,
    first_name: someText.optional(),
    last_name: someText.optional(),
    billing_address: address.optional(),
    valid_until: time,
    create_time: time,
    update_time: time,
    links: z.array(link).length(3),
  });
}

function cardListModel<C extends z.ZodType>(card: C) {
  return z.object({
    items: z.array(card),
    total_items: z.int(),
    total_pages: z.int(),
    links: z.array(link),
  });
}

const money = z.object({
  total: z.string().regex(/^\d+\.\d\d$/),
  currency: z.string().length(3),
  details: z.record(z.string(), z.string()).optional(),
});

const records = {
  id: z.string().regex(/^[0-9A-Z]{17}$/),
  create_time: time,
  update_time: time,
  state: someText,
  amount: money,
  parent_payment: z.string().regex(/^PAY-[0-9A-Z]{24}$/),
  links: z.array(link).min(2),
};

export const ClientSale = z.object(records);
export const ClientRefund = z.object({
  ...records,
  sale_id: someText.optional(),
  capture_id: someText.optional(),
  description: someText.optional(),
});
export const ClientCapture = z.object({ ...records, is_final_capture: z.boolean().optional() });
export const ClientAuthorization = z.object({ ...records, valid_until: time.optional() });

/** Go's models have the expiry as a string, and decode nothing else. */
const digits = z.string().regex(/^[1-9]\d*$/);

const token = z.object({
  credit_card_id: someText,
  payer_id: someText.optional(),
  external_customer_id: someText.optional(),
  last4: z.string().length(4),
  type: someText,
  expire_month: digits,
  expire_year: digits,
});

export const ClientPayment = z.object({
  id: records.parent_payment,
  create_time: time,
  update_time: time,
  state: someText,
  intent: someText,
  experience_profile_id: absent,
  payer: z.object({
    payment_method: z.literal('credit_card'),
    funding_instruments: z.tuple([z.object({ credit_card_token: token })]),
  }),
  transactions: z.tuple([
    z.object({
      amount: money,
      description: someText.optional(),
      invoice_number: someText.optional(),
      related_resources: z.array(
        z.object({
          sale: ClientSale.optional(),
          authorization: ClientAuthorization.optional(),
          capture: ClientCapture.optional(),
          refund: ClientRefund.optional(),
        }),
      ),
    }),
  ]),
  links: z.array(link),
});

export const ClientPaymentList = z.object({
  payments: z.array(ClientPayment),
  count: z.int(),
  next_id: someText.optional(),
});

export const ClientCard = cardModel(wholeNumber);
export const ClientCardList = cardListModel(ClientCard);
export const GoCard = cardModel(digits);
export const GoCardList = cardListModel(GoCard);
