/** Schemas that code and HTTP share: journal queries, releases and waits. Each is made on first use. */
import { z } from '@hono/zod-openapi';
import { onFirstUse } from '../../shared/lazy.ts';
import { operationFamilies, operationNames } from '../service/operations.ts';

/** What a warning on an exchange can be about. */
export const warningKinds = [
  'real-looking-card',
  'live-looking-credential',
  'card-number-in-text',
] as const;

/** Most clients hang up after five minutes without an answer, and many proxies earlier. */
export const maxWaitMs = 240_000;

/** Test runners end a test after five seconds. A wait must fail before, because its error says why. */
const defaultWaitMs = 4_000;

/** The schemas, made on first use. */
export const journalSchemas = onFirstUse(() => {
  const conclusions = ['OK', 'FAIL', 'UNKNOWN'] as const;

  const deliveries = ['open', 'delivered', 'cut', 'lost'] as const;

  const timeForm =
    'must be an RFC 3339 time such as 2026-05-06T07:08:09Z, or milliseconds since 1970';
  const statusForm = 'must be a status such as 201, or a class of them such as 4xx';
  const countForm = 'must be a whole number, 0 or more';

  /** Queries come as JSON and as text in an address, so numbers and booleans are read from both. */
  const flag = z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
    .transform((word) => word === true || word === 'true')
    .openapi({ type: 'boolean' });

  /** A time without fractions includes its whole second when it ends a range. */
  function time(edge: 'start' | 'end') {
    return z
      .union(
        [z.number(), z.iso.datetime({ offset: true }), z.string().regex(/^\d{1,15}$/, timeForm)],
        {
          error: timeForm,
        },
      )
      .transform((at) => {
        if (typeof at === 'number' || !at.includes('-')) return Number(at);
        return Date.parse(at) + (edge === 'end' && !at.includes('.') ? 999 : 0);
      })
      .optional()
      .openapi({ type: ['string', 'integer'], example: '2026-05-06T07:08:09Z' });
  }

  const count = z
    .union([z.int().nonnegative(countForm), z.string().regex(/^\d{1,9}$/, countForm)], {
      error: countForm,
    })
    .transform(Number)
    .openapi({ type: 'integer', example: 1 });

  const status = z
    .union(
      [
        z.int().min(100, statusForm).max(599, statusForm),
        z.string().regex(/^[1-5](?:xx|\d\d)$/, statusForm),
      ],
      {
        error: statusForm,
      },
    )
    .transform(String)
    .openapi({ type: ['string', 'integer'], example: '4xx' });

  /** Conditions that an exchange must all meet. */
  const ExchangeMatch = z
    .strictObject({
      operation: z
        .enum([...operationNames, ...operationFamilies])
        .optional()
        .openapi({ description: 'One operation, or a resource: `card.*`' }),
      status: status
        .optional()
        .openapi({ description: 'Status of the answer: 201, or a class such as 4xx' }),
      problem: z
        .string()
        .optional()
        .openapi({ description: 'Name of the error', example: 'VALIDATION_ERROR' }),
      outcome: z
        .string()
        .optional()
        .openapi({ description: 'Id of an outcome that was forced on it' }),
      warning: z.enum(warningKinds).optional().openapi({ description: 'Kind of a warning on it' }),
      card: z.string().optional().openapi({ description: 'Id of its card' }),
      subject: z
        .string()
        .optional()
        .openapi({ description: 'Id of the record that it created or returned' }),
      intent: z.string().optional().openapi({ description: 'Key of its purchase' }),
      requestId: z.string().optional().openapi({ description: 'Its PayPal-Request-Id' }),
      debugId: z.string().optional().openapi({ description: 'Its debug id' }),
      from: time('start').openapi({ description: "Not before this time on the merchant's clock" }),
      until: time('end').openapi({ description: "Not after this time on the merchant's clock" }),
      replayed: flag
        .optional()
        .openapi({ description: 'Whether the answer repeats that of an earlier request' }),
      committed: flag.optional().openapi({ description: 'Whether it changed any record' }),
      concludes: z
        .enum(conclusions)
        .optional()
        .openapi({ description: 'What the client could conclude from what it received' }),
      delivery: z
        .enum(deliveries)
        .optional()
        .openapi({ description: 'Whether the answer reached the client' }),
    })
    .openapi('ExchangeMatch');

  const JournalQuery = ExchangeMatch.extend({
    limit: count.optional().openapi({ description: 'How many to list at most, the latest ones' }),
  }).openapi('JournalQuery');

  const VerifyRequest = z
    .strictObject({
      match: ExchangeMatch.default({}).openapi({ description: 'Which exchanges to count' }),
      times: count.optional().openapi({ description: 'The exact number. Default: at least one' }),
      atLeast: count.optional().openapi({ description: 'The smallest number' }),
      atMost: count.optional().openapi({ description: 'The largest number' }),
      sequence: z
        .array(ExchangeMatch)
        .min(1, 'must name at least one exchange')
        .readonly()
        .optional()
        .openapi({
          description: 'Exchanges that must arrive in this order; others may come between them',
        }),
      fields: z
        .record(
          z.string().regex(/^(?:body|response)\./, {
            error: 'must start with body. or response., as in body.transactions[0].amount.total',
          }),
          z.union([z.string(), z.number(), z.boolean(), z.null()], {
            error: 'must be a text, a number, true, false or null',
          }),
        )
        .optional()
        .openapi({
          description: 'Members of bodies that the exchanges of `match` must have',
          example: { 'body.transactions[0].amount.total': '30.11' },
        }),
    })
    .refine(
      ({ times, atLeast, atMost }) =>
        times === undefined || (atLeast === undefined && atMost === undefined),
      'takes either times, or atLeast and atMost',
    )
    .refine(
      ({ atLeast = 0, atMost = Infinity }) => atLeast <= atMost,
      'has an atLeast that is larger than its atMost',
    )
    .openapi('VerifyRequest', {
      example: { match: { operation: 'payment.create' }, times: 1 },
    });

  const WaitRequest = z
    .strictObject({
      match: ExchangeMatch.default({}),
      times: count
        .default(1)
        .openapi({ description: 'How many must arrive, at most as many as the journal keeps' }),
      timeoutMs: count
        .refine((ms) => ms <= maxWaitMs, `must be at most ${maxWaitMs}; wait again for longer`)
        .default(defaultWaitMs)
        .openapi({ description: `Real time after which the wait fails, at most ${maxWaitMs}` }),
    })
    .openapi('WaitRequest', {
      example: { match: { operation: 'payment.create' }, timeoutMs: 2000 },
    });

  return { match: ExchangeMatch, query: JournalQuery, verify: VerifyRequest, wait: WaitRequest };
});

type Schemas = ReturnType<typeof journalSchemas>;
export type ExchangeMatchSchema = Schemas['match'];
export type JournalQuerySchema = Schemas['query'];
export type VerifyRequestSchema = Schemas['verify'];
export type WaitRequestSchema = Schemas['wait'];

/** The longest list of a release: 100 gates hold 100 requests each. */
const maxOrder = 10_000;

/** What `release` and `waitForHeld` take. */
export const gateInputs = onFirstUse(() => {
  const ReleaseRequest = z
    .strictObject({
      order: z
        .union(
          [z.enum(['arrival', 'reverse']), z.array(z.union([z.string(), z.int()])).max(maxOrder)],
          {
            error:
              'must be arrival, reverse, or a list of debug ids, request ids or numbers in order of arrival',
          },
        )
        .default('arrival')
        .openapi({
          description:
            'In which order: `arrival` or `reverse` for all, or a list of debug ids, request ids or numbers in order of arrival',
        }),
    })
    .openapi('ReleaseRequest', { example: { order: 'reverse' } });

  const timesForm = 'must be a whole number, 1 or more';
  const timeoutForm = `must be a whole number of milliseconds from 0 to ${maxWaitMs}`;

  const HeldWaitRequest = z
    .strictObject({
      times: z.int({ error: timesForm }).min(1, timesForm).optional().openapi({
        description: 'How many must be held. Default: all that the gates can hold',
      }),
      timeoutMs: z
        .int({ error: timeoutForm })
        .min(0, timeoutForm)
        .max(maxWaitMs, timeoutForm)
        .default(defaultWaitMs)
        .openapi({ description: `Real time after which the wait fails, at most ${maxWaitMs}` }),
    })
    .openapi('HeldWaitRequest', { example: { times: 2 } });

  return { release: ReleaseRequest, wait: HeldWaitRequest };
});
