/** Schemas of the verbs about the journal: list, explain, verify and wait. */
import { z } from '@hono/zod-openapi';
import { gatePoints, releaseCauses } from '../constants.ts';
import { ControlError, verbSchemas } from './declare.ts';
import { answer } from '../service/declare.ts';
import { maybeText } from '../service/fields.ts';
import { journalSchemas, warningKinds } from './inputs.ts';
import { operationNames } from '../service/operations.ts';

const Delivery = z
  .object({
    state: z.enum(['open', 'delivered', 'cut', 'lost']).openapi({
      description: '`open` until the delivery of the answer is known',
    }),
    bytesTotal: z.int(),
    bytesDelivered: z.int(),
    clientLeft: z.boolean().openapi({ description: 'The client hung up before the end' }),
  })
  .openapi('Delivery');

const journalInputs = journalSchemas();

/** One stay of a request at a gate. */
export const Hold = z.object({
  gate: z.string(),
  at: z.enum(gatePoints),
  arrived: z.int().openapi({ description: 'Its position in the order of arrival at the gate' }),
  released: z.int().openapi({ description: 'Its position in the order of release' }),
  releasedBy: z.enum(releaseCauses).openapi({
    description:
      '`release`: a test did; `filled`: all requests of the gate came; `timeout`: its time was over; `end`: the merchant was reset or the sandbox closed',
  }),
});

export const JournalEntry = z
  .object({
    seq: z.int().openapi({ description: '1 for the first exchange, one more for each after it' }),
    debugId: z.string().openapi({ description: 'Equal to `Paypal-Debug-Id` and `debug_id`' }),
    overAtSeq: z.int().openapi({
      description:
        '`seq` of the next exchange after this one was over: earlier ones overlapped it; 0 while it is open',
    }),
    overAtMs: z.number().openapi({
      description: "The merchant's time when it was over; 0 while it is open",
    }),
    leftAtSeq: z.int().optional().openapi({
      description:
        '`seq` of the next exchange when the client left, if a gate held the request then; the exchange is over later',
    }),
    leftAtMs: z.number().optional().openapi({ description: "The merchant's time when it left" }),
    real: z.object({ openedMs: z.number(), closedMs: z.number() }).openapi({
      description:
        "When it opened and closed on the machine's clock; `closedMs` is 0 while it is open",
    }),
    atMs: z.number().openapi({ description: "The merchant's time, milliseconds since 1970" }),
    method: z.string(),
    path: z.string().openapi({ description: 'With its query' }),
    operation: z.enum(operationNames).optional(),
    merchant: z.string(),
    requestId: maybeText.openapi({ description: 'Its PayPal-Request-Id' }),
    reusedConnection: z.boolean().optional().openapi({
      description: 'Whether an earlier request came on its connection; absent in process',
    }),
    signs: z
      .array(
        z.union([
          z.enum(['content-type-missing', 'mask-of-its-own']),
          z.templateLiteral(['card-number-in-header:', z.string()]).openapi({
            type: 'string',
            pattern: '^card-number-in-header:\\d{4}$',
            description: 'With the last four digits of the number',
          }),
        ]),
      )
      .readonly()
      .openapi({ description: 'Signs of mistakes that redaction and parsing would hide' }),
    status: z.int().openapi({ description: '0 until it is answered' }),
    problem: maybeText.openapi({ description: 'Name of the error', example: 'VALIDATION_ERROR' }),
    reason: maybeText.openapi({
      description: 'Why it was refused: which rule or state, what was expected, what to change',
    }),
    replayed: z
      .boolean()
      .openapi({ description: 'Whether the answer repeats that of an earlier request' }),
    committed: z.boolean().openapi({ description: 'Whether it changed any record' }),
    intent: maybeText.openapi({ description: 'Key of its purchase' }),
    cardId: maybeText,
    subject: maybeText.openapi({ description: 'Id of the record that it created or returned' }),
    twin: maybeText.openapi({ description: 'Id of the second record, if it was executed twice' }),
    retryAfter: maybeText.openapi({ description: 'The Retry-After header of the answer' }),
    outcomes: z
      .array(z.object({ id: z.string(), by: z.string(), rule: maybeText }))
      .readonly()
      .openapi({ description: 'The outcomes forced on it, each with its trigger' }),
    holds: z.array(Hold).readonly().openapi({ description: 'The gates that held it, in order' }),
    nearMisses: z
      .array(
        z.object({
          rule: z.string(),
          why: z.string(),
          merchant: z
            .string()
            .optional()
            .openapi({ description: 'The merchant of the rule, if it is another one' }),
        }),
      )
      .readonly()
      .openapi({
        description: 'Rules for its operation that did not fire, the nearest first; at most 20',
      }),
    nearMissesLeftOut: z.int().openapi({ description: 'How many more such rules there were' }),
    warnings: z
      .array(z.object({ kind: z.enum(warningKinds), text: z.string() }))
      .readonly()
      .openapi({ description: 'Warnings of card numbers and credentials that could be real' }),
    request: maybeText.openapi({ description: 'Its body, redacted and limited in length' }),
    response: maybeText.openapi({
      description: 'The body of the answer, redacted and limited in length',
    }),
    delivery: Delivery,
    concludes: z.enum(['OK', 'FAIL', 'UNKNOWN']).openapi({
      description: 'What the client could conclude from what it received',
    }),
  })
  .openapi('JournalEntry');

export const JournalReading = z
  .object({
    dropped: z.int().openapi({ description: 'How many older exchanges were dropped to make room' }),
    entries: z.array(JournalEntry).readonly().openapi({ description: 'Oldest first' }),
  })
  .openapi('Journal');

export const Explanation = JournalEntry.extend({
  summary: z.array(z.string()).readonly().openapi({
    description: 'A summary for people, one fact a line, the answer first',
  }),
}).openapi('Explanation');

export const Verification = z
  .object({
    status: z.enum(['ok', 'failed', 'unsure']),
    ok: z.boolean().optional().openapi({
      description: 'Absent if exchanges that were dropped would decide it',
    }),
    message: z.string(),
    seen: z
      .array(JournalEntry)
      .readonly()
      .openapi({ description: 'The exchanges that were counted' }),
  })
  .openapi('Verification');

/** The error of a wait that timed out. */
export const WaitTimeout = ControlError.extend({
  seen: z
    .array(JournalEntry)
    .readonly()
    .openapi({ description: 'The matching exchanges that did arrive' }),
}).openapi('WaitTimeout');

export const journalVerbSchemas = verbSchemas({
  journal: {
    summary: 'List requests and answers, redacted',
    description: 'Only `/v1` requests; calls of the control API are never in it.',
    tag: 'Journal',
    query: journalInputs.query.shape,
    output: JournalReading,
    answer: 'The exchanges that match',
  },
  explain: {
    summary: 'Explain one answer: its reason, forced outcomes, rules that did not fire, delivery',
    tag: 'Journal',
    path: { debugId: z.string().openapi({ example: '0a1b2c3d4e5f6' }) },
    output: Explanation,
    answer: 'The exchange with a summary for people',
    pretty: true,
  },
  verify: {
    summary: 'Count exchanges, or check their order',
    description: 'The status is 200 whatever the result; `status` in the answer says it.',
    tag: 'Journal',
    body: journalInputs.verify,
    output: Verification,
    answer: 'The result',
  },
  waitFor: {
    summary: 'Wait until exchanges have arrived',
    description:
      'Answers as soon as there are enough, including those already in the journal. The wait ends when the client leaves, the merchant is reset or the sandbox closes.',
    tag: 'Journal',
    body: journalInputs.wait,
    output: z.array(JournalEntry).readonly(),
    answer: 'The exchanges that arrived',
    answers: { 408: answer('`wait-timeout`: the exchanges did not arrive in time', WaitTimeout) },
    errors: [409],
  },
});
