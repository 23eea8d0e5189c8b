/** The vault: store, list, show, update and delete cards. */
import { z } from '@hono/zod-openapi';
import type { brands } from '../../domain/card/brand.ts';
import { AddressOut, BillingAddressIn, Link, Timestamp } from './common.ts';
import {
  answer,
  declare,
  errors,
  jsonBody,
  ofBody,
  ofRequestId,
  requestIdHeader,
} from './declare.ts';
import { exampleBodies, exampleIds } from './examples.ts';
import {
  callerId,
  cvv,
  ignored,
  invalidIssue,
  maybeText,
  oneOf,
  parameterOf,
  patchOf,
  text,
  wholeNumber,
} from './fields.ts';

const brandWords = [
  'visa',
  'mastercard',
  'amex',
  'discover',
  'maestro',
] as const satisfies typeof brands;

/**
 * The required fields of a new card. For an empty body, `details` lists them in the order of these keys, on which
 * clients rely: number, expire_year, expire_month, type (contract.md §2.9).
 */
export const cardNumberFields = {
  number: z
    .string()
    .regex(/^\d{12,19}$/, invalidIssue)
    .openapi({ example: '4417119669820331' }),
  expire_year: wholeNumber(1000, 9999, 'Must be numeric (YYYY)').openapi({
    type: ['integer', 'string'],
    minimum: 1000,
    maximum: 9999,
    pattern: String.raw`^\d{4}$`,
    example: 2031,
  }),
  expire_month: wholeNumber(1, 12, invalidIssue).openapi({
    type: ['integer', 'string'],
    minimum: 1,
    maximum: 12,
    pattern: '^0?[1-9]$|^1[0-2]$',
    example: 11,
  }),
  type: oneOf(
    brandWords,
    'Value is invalid (must be visa, mastercard, amex, discover, or maestro)',
  ).openapi({ example: 'visa' }),
  cvv2: cvv.optional().openapi({
    type: ['string', 'integer'],
    minimum: 100,
    maximum: 9999,
    pattern: String.raw`^\d{3,4}$`,
    example: '874',
  }),
  first_name: text(25).optional().openapi({ example: 'Ada' }),
  last_name: text(25).optional().openapi({ example: 'Tester' }),
};

/** Keys of other card models and of cards from answers. They are ignored, like every unknown key in the vault. */
export const cardIgnoredKeys = [
  'id',
  'state',
  'valid_until',
  'create_time',
  'update_time',
  'links',
  'start_month',
  'start_year',
  'issue_number',
] as const;

export const CardIn = z
  .object({
    ...cardNumberFields,
    billing_address: BillingAddressIn.optional(),
    external_customer_id: callerId(256).optional().openapi({ example: 'cust-42' }),
    payer_id: callerId(256).optional().openapi({ deprecated: true }),
    merchant_id: callerId(256).optional(),
    external_card_id: callerId(256).optional(),
    ...ignored(...cardIgnoredKeys),
  })
  .openapi('CardInput', { example: exampleBodies.card });

/** A raw card in the answer of a payment. */
export const CardFaceOut = z
  .object({
    type: z.enum(brandWords),
    number: z
      .string()
      .regex(/^x+\d{4}$/)
      .openapi({ example: 'xxxxxxxxxxxx0331' }),
    expire_month: z.string().openapi({ example: '11' }),
    expire_year: z.string().openapi({ example: '2031' }),
    first_name: maybeText,
    last_name: maybeText,
    billing_address: AddressOut.optional(),
  })
  .openapi('CardFace');

const expiryOut = z.union([z.int(), z.string()]).openapi({
  description: 'An integer under the documented profile, a string under the recorded one',
});

export const CardOut = z
  .object({
    id: z.string().openapi({ example: exampleIds.card }),
    state: z.enum(['ok', 'expired']),
    external_customer_id: maybeText,
    payer_id: maybeText,
    external_card_id: maybeText,
    merchant_id: maybeText,
    ...CardFaceOut.shape,
    expire_month: expiryOut,
    expire_year: expiryOut,
    valid_until: Timestamp,
    create_time: Timestamp,
    update_time: Timestamp,
    links: z.array(Link),
  })
  .openapi('Card');

export const CardListOut = z
  .object({
    items: z.array(CardOut),
    total_items: z.int().optional(),
    total_pages: z.int().optional(),
    links: z.array(Link),
  })
  .openapi('CardList');

const patchValue = z.unknown().optional();

export const CardPatchIn = patchOf(
  z.object({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: z.string().max(256).openapi({ example: '/expire_year' }),
    from: z.string().max(256).optional(),
    value: patchValue,
  }),
).openapi('CardPatch', {
  description:
    'JSON Patch (RFC 6902). It may change /first_name, /last_name, /expire_month, /expire_year, /billing_address and its members. `test` may read any member. Either all operations apply or none.',
  example: exampleBodies.cardPatch,
});

/** The members of a card that a patch may change, as they must be after the patch. */
export const RevisedCard = z.object({
  expire_year: cardNumberFields.expire_year,
  expire_month: cardNumberFields.expire_month,
  first_name: cardNumberFields.first_name,
  last_name: cardNumberFields.last_name,
  billing_address: BillingAddressIn.optional(),
});

const cardId = z.object({
  card_id: z.string().openapi({ example: exampleIds.card }),
});

/** List parameters. All are strings. Empty ones count as absent, and unknown ones are ignored (contract.md §2.6). */
export const cardListQuery = z.object({
  page_size: sizeParameter().optional(),
  page: z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a page number from 1')
    .transform((page) => Math.max(1, Number(page)))
    .openapi({ type: 'integer', minimum: 0, maximum: 999_999_999 })
    .optional(),
  start_time: timeParameter().optional(),
  end_time: timeParameter('end').optional(),
  sort_by: parameterOf(
    ['create_time', 'update_time'],
    'Must be create_time or update_time',
  ).optional(),
  sort_order: parameterOf(['asc', 'desc'], 'Must be asc or desc').optional(),
  merchant_id: maybeText,
  external_card_id: maybeText,
  external_customer_id: maybeText,
  total_required: flagParameter().optional(),
  /**
   * `Seed silent:` the position in a `next` link. This sandbox adds it so that pages skip and repeat no card while
   * cards are added or deleted.
   */
  after: z
    .string()
    .regex(/^[0-9a-z]{1,10}$/, 'Must be taken from a next link')
    .transform((mark) => Number.parseInt(mark, 36))
    .optional(),
});

/** The most entries of a page. `Seed silent:` 20 is the recorded maximum for payments. */
export function sizeParameter() {
  return z
    .string()
    .regex(/^([1-9]|1\d|20)$/, 'Must be a number from 1 to 20')
    .transform(Number)
    .openapi({ type: 'integer', minimum: 1, maximum: 20 });
}

/**
 * An RFC 3339 time in a query, as milliseconds since 1970. Answers have whole seconds. The end of a span without a
 * fraction therefore includes its whole second, so that a card is found by the time in its answer.
 */
export function timeParameter(edge: 'start' | 'end' = 'start') {
  return z
    .string()
    .transform((value, context) => {
      const atMs = readTimeMs(value);
      if (atMs === undefined) {
        const isUnencoded = readTimeMs(value.replace(' ', '+')) !== undefined;
        context.addIssue(
          isUnencoded ? plusIssue : 'Must be an RFC 3339 time, like 2026-05-06T07:08:09Z',
        );
        return z.NEVER;
      }
      return edge === 'end' && !value.includes('.') ? atMs + 999 : atMs;
    })
    .openapi({ type: 'string', format: 'date-time' });
}

const plusIssue =
  'Must be an RFC 3339 time; write its + as %2B, because + means a space in a query';

const timeForm = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** JavaScript reads 30 February as a day in March, and 24:00 as the next day. RFC 3339 allows neither. */
function readTimeMs(value: string): number | undefined {
  const time = value.toUpperCase();
  const [, year, month, day] = timeForm.exec(time) ?? [];
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate())
    return undefined;
  const atMs = timeForm.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** `true` or `false`, in upper or lower case: one SDK capitalises them. */
function flagParameter() {
  return z
    .string()
    .regex(/^(true|false)$/i, 'Must be true or false')
    .transform((value) => value.toLowerCase() === 'true')
    .openapi({ type: 'string', enum: ['true', 'false'] });
}

const tags = ['Vault'];

export const vaultRoutes = {
  'card.create': declare({
    operationId: 'card.create',
    method: 'post',
    path: '/v1/vault/credit-cards',
    summary: 'Store a card',
    description: 'The number is redacted in every answer and cvv2 is never kept.',
    tags,
    request: { headers: requestIdHeader, body: jsonBody(CardIn) },
    responses: {
      201: answer('The stored card', CardOut),
      ...errors(...ofBody, ...ofRequestId, 'not-found', 'records-full'),
    },
  }),
  'card.list': declare({
    operationId: 'card.list',
    method: 'get',
    path: '/v1/vault/credit-cards',
    summary: 'List cards',
    tags,
    request: { query: cardListQuery },
    responses: { 200: answer('A page of cards', CardListOut), ...errors('invalid-fields') },
  }),
  'card.get': declare({
    operationId: 'card.get',
    method: 'get',
    path: '/v1/vault/credit-cards/{card_id}',
    summary: 'Show a card',
    tags,
    request: { params: cardId },
    responses: { 200: answer('The card', CardOut), ...errors('not-found') },
  }),
  'card.update': declare({
    operationId: 'card.update',
    method: 'patch',
    path: '/v1/vault/credit-cards/{card_id}',
    summary: 'Update a card',
    tags,
    request: { params: cardId, body: jsonBody(CardPatchIn) },
    responses: {
      200: answer('The whole card', CardOut),
      ...errors(...ofBody, 'not-found'),
    },
  }),
  'card.delete': declare({
    operationId: 'card.delete',
    method: 'delete',
    path: '/v1/vault/credit-cards/{card_id}',
    summary: 'Delete a card',
    tags,
    request: { params: cardId },
    responses: { 204: { description: 'The card is gone' }, ...errors('not-found') },
  }),
};
