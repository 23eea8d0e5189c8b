/** Schemas of the verdict about the money: its options and its answer. */
import { z } from '@hono/zod-openapi';
import { verbSchemas } from './declare.ts';
import { findingIds } from '../finding-ids.ts';
import { defaultServiceTimeMs, severities } from '../constants.ts';
import { durationForms, readDurationMs } from '../../domain/duration.ts';
import { Hold } from './journal.ts';

/** How sure it is that a finding is one. */
export const confidences = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof confidences)[number];

const count = z.int().nonnegative();
const time = z.string().openapi({
  format: 'date-time',
  description: "On the merchant's clock",
  example: '2026-05-06T07:08:09.000Z',
});
const words = z.array(z.string()).readonly();
const money = z
  .object({ total: z.string(), currency: z.string() })
  .openapi('VerdictMoney', { example: { total: '30.11', currency: 'USD' } });

export const Suppression = z
  .strictObject({
    rule: z.enum(findingIds).openapi({ description: 'Id of a finding', example: 'token-per-call' }),
    reason: z.string().trim().min(1, 'must say why, in words').openapi({
      description: 'Why the finding is accepted',
      example: 'Each test is a process with its own token',
    }),
    until: z.iso
      .date('must be a day such as 2026-12-31')
      .optional()
      .openapi({ description: 'The last day of the suppression, on the calendar of the machine' }),
  })
  .openapi('Suppression');

/** What a merchant's code can report about a purchase. */
export const beliefs = ['paid', 'not-paid', 'unknown'] as const;
export type Belief = (typeof beliefs)[number];

const settleForm = `must be a duration (${durationForms}), or a number of milliseconds, and not negative; 0 settles nothing`;

const waitRange = 'must be a whole number of milliseconds from 0 to 60000';

export const VerdictOptions = z
  .strictObject({
    failOn: z
      .enum(['critical', 'high', 'medium'])
      .default('high')
      .openapi({ description: 'The lowest severity of a finding that fails the verdict' }),
    suppress: z
      .array(Suppression, {
        error:
          'must be a list such as [{ rule: "token-per-call", reason: "each test is a process" }]',
      })
      .default([])
      .openapi({ description: 'Findings that are counted but do not fail' }),
    beliefs: z
      .record(z.string(), z.enum(beliefs, { error: `must be one of ${beliefs.join(', ')}` }), {
        error: 'must be an object such as { "INV-7": "paid" }',
      })
      .default({})
      .openapi({
        description:
          'What your code reports about purchases, by invoice number or `custom`, and about a payment, sale, authorization or capture, by its id',
        example: { 'INV-7': 'paid' },
      }),
    expect: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({
        description: 'What should be true, as in a scenario file, in addition to the scenario',
        example: { sales: { perIntent: '<=1' } },
      }),
    allowUnfired: z.boolean().default(false).openapi({
      description:
        'Do not fail on rules that never fired, gates that did not fill or timeline events without effect',
    }),
    allowDropped: z
      .boolean()
      .default(false)
      .openapi({ description: 'Do not fail if the journal has dropped exchanges' }),
    allowNoRequests: z
      .boolean()
      .default(false)
      .openapi({ description: 'Do not fail if the merchant sent no requests' }),
    serviceTimeMs: z
      .int({ error: waitRange })
      .min(0, waitRange)
      .max(60_000, waitRange)
      .default(defaultServiceTimeMs)
      .openapi({
        description:
          'How long the real service is assumed to take for a payment, in milliseconds. Equal requests on different connections within this time count as sent at the same time, unless it is known that the second waited for the first',
      }),
    settle: z
      .union([z.string(), z.number()], { error: settleForm })
      .refine((given) => readDurationMs(given) !== undefined, settleForm)
      .default('P3D')
      .openapi({
        description:
          'How far ahead pending sales and refunds are settled for the verdict: a duration, such as `P3D` or `12h`, or milliseconds; 0 settles none. The world does not change',
        example: 'P3D',
      }),
    waitMs: z
      .int({ error: waitRange })
      .min(0, waitRange)
      .max(60_000, waitRange)
      .default(500)
      .openapi({ description: 'How long to wait for open exchanges, in milliseconds' }),
  })
  .openapi('VerdictOptions');

export const reasonKinds = [
  'finding',
  'expectation',
  'belief',
  'unfired-rule',
  'unfilled-gate',
  'missed-event',
  'no-requests',
  'merchants-full',
  'dropped-exchanges',
  'open-exchanges',
] as const;

const Reason = z
  .object({
    kind: z.enum(reasonKinds),
    text: z.string().openapi({ description: 'One sentence' }),
  })
  .openapi('VerdictReason');

export const Finding = z
  .object({
    rule: z.enum(findingIds).openapi({ example: 'double-charge' }),
    severity: z.enum(severities),
    confidence: z.enum(confidences),
    what: z.string().openapi({ description: 'What happened, in one sentence' }),
    remedy: z.string().openapi({ description: 'What to do, in one sentence' }),
    evidence: words.openapi({ description: 'Debug ids of the exchanges that show it' }),
    intent: z.string().optional().openapi({ description: 'Key of the purchase it is about' }),
    subject: z.string().optional().openapi({
      description: 'Id of the card, sale or other record that its first exchange names',
    }),
    suppressed: z
      .string()
      .optional()
      .openapi({ description: 'Why the finding is suppressed, if it is' }),
  })
  .openapi('Finding');

const Attempt = z.object({
  debugId: z.string(),
  operation: z.string().openapi({
    description: 'An attempt to pay, or a later request about its payment',
  }),
  at: time,
  requestId: z.string().optional(),
  status: z.int().openapi({ description: '0 while there is no answer' }),
  problem: z.string().optional(),
  concludes: z
    .enum(['OK', 'FAIL', 'UNKNOWN'])
    .openapi({ description: 'What the client could conclude from what it received' }),
  committed: z
    .boolean()
    .openapi({ description: 'Whether it changed any record, whatever the answer was' }),
  replayed: z
    .boolean()
    .openapi({ description: 'Whether the answer repeats that of an earlier request' }),
  outcomes: words.openapi({ description: 'Ids of the outcomes forced on it' }),
  delivery: z.enum(['open', 'delivered', 'cut', 'lost']),
  held: z
    .object({
      holds: z.array(Hold).readonly(),
      endedAt: time,
      after: z.string().openapi({
        description: 'Debug id of the last request of the purchase that had come by then',
      }),
      leftAt: time.optional().openapi({ description: 'When the client left, if it did not wait' }),
    })
    .optional()
    .openapi({ description: 'The gates that held it, and when it ended' }),
});

/** How an answer disclosed a charge: see `disclosedBy`. */
const disclosureKinds = ['answer', 'replay', 'show', 'list'] as const;

const Charge = z.object({
  id: z.string().openapi({ description: 'Id of the sale or capture' }),
  paymentId: z.string(),
  createdBy: z.string().openapi({ description: 'Debug id of the attempt that created it' }),
  at: time,
  amount: money,
  refunded: money,
  state: z.string(),
  net: money.openapi({ description: 'What the merchant keeps of it' }),
  known: z.enum(['answered', 'read', 'never', 'unsure']).openapi({
    description:
      'Whether the client learned of it; `unsure` if exchanges that were dropped would decide it',
  }),
  disclosedBy: z
    .object({
      debugId: z.string(),
      at: time,
      how: z.enum(disclosureKinds).openapi({
        description:
          'By the answer to the attempt that created it, by a repeat of that answer, by a read of the record, or by a list',
      }),
    })
    .optional()
    .openapi({ description: 'The first exchange that disclosed it to the client' }),
});

export const Purchase = z
  .object({
    key: z.string(),
    label: z.string().openapi({ description: 'Its invoice number, `custom` or description' }),
    amount: money.optional(),
    attempts: z.array(Attempt).readonly().openapi({
      description: 'If there are more than 200, the first and the last hundred',
    }),
    attemptsLeftOut: count
      .optional()
      .openapi({ description: 'How many are left out between those' }),
    charges: z.array(Charge).readonly().openapi({ description: 'Limited like the attempts' }),
    chargesLeftOut: count.optional(),
    belief: z.enum(beliefs).optional(),
  })
  .openapi('Purchase', { description: 'One purchase as the buyer sees it, and its money' });

const Expected = z
  .object({
    place: z.string().openapi({ example: 'sales.perIntent' }),
    expected: z.string(),
    found: z.string(),
    ok: z.boolean().openapi({ description: 'Also false if it cannot be judged' }),
  })
  .openapi('VerdictExpectation');

const Total = z
  .object({
    currency: z.string(),
    charged: z.string(),
    returned: z.string(),
    net: z.string(),
    returnedOfOthers: z.string().optional().openapi({
      description:
        'The part of `returned` that belongs to sales of fixtures, a snapshot or an import; absent if there is none',
    }),
    excess: z.string().optional().openapi({
      description:
        'What the merchant keeps of orders that were charged more than once, beyond their amounts. Counts `double-charge` findings that are certain or likely and not suppressed; absent if nothing',
    }),
    excessRefunded: z.string().optional().openapi({
      description:
        'What refunds returned although it had been returned before. Counts `double-refund` and `refund-and-chargeback` findings that are certain or likely and not suppressed, except for orders that were charged more than once; absent if nothing',
    }),
  })
  .openapi('VerdictTotal');

const ExpiredSuppression = z
  .object({
    rule: z.enum(findingIds),
    reason: z.string(),
    until: z.string().openapi({ format: 'date', description: 'Its last day' }),
    findings: count.openapi({ description: 'How many findings it would suppress' }),
  })
  .openapi('ExpiredSuppression');

const Unfired = z.object({ rule: z.string(), why: z.string() }).openapi('UnfiredRule');

const UnfilledGate = z
  .object({
    gate: z.string().openapi({ example: 'gate-1' }),
    came: count.openapi({ description: 'How many requests it held' }),
    count: count.openapi({ description: 'How many it waited for' }),
  })
  .openapi('UnfilledGate');

const MissedEvent = z
  .object({
    place: z.string().openapi({ description: 'Its place in the scenario', example: 'timeline[1]' }),
    event: z.string().openapi({ example: 'chargeback-opened-won-lost' }),
    why: z.string(),
  })
  .openapi('MissedEvent');

export const Tried = z
  .object({
    operation: z.string(),
    outcome: z.string(),
    seen: count.openapi({ description: 'On how many requests it was forced' }),
  })
  .openapi('TriedOutcome');

const Pending = z
  .object({
    id: z.string(),
    kind: z.enum(['sale', 'refund']),
    amount: money,
    becomes: z.enum(['completed', 'denied', 'failed', 'pending']).openapi({
      description: 'What the verdict counts it as: its state at the end of `settle`',
    }),
  })
  .openapi('VerdictPending');

export const Verdict = z
  .object({
    merchant: z.string(),
    at: time,
    passed: z.boolean(),
    failOn: z.enum(['critical', 'high', 'medium']),
    reasons: z.array(Reason).readonly().openapi({ description: 'Why it failed' }),
    findings: z.array(Finding).readonly().openapi({ description: 'The most severe first' }),
    expiredSuppressions: z.array(ExpiredSuppression).readonly().optional().openapi({
      description:
        'Suppressions that have expired, of rules with findings; absent if there are none',
    }),
    expectations: z.array(Expected).readonly(),
    unfired: z.array(Unfired).readonly(),
    unfilled: z
      .array(UnfilledGate)
      .readonly()
      .openapi({ description: 'Gates to which fewer requests came than they wait for' }),
    missed: z
      .array(MissedEvent)
      .readonly()
      .openapi({ description: 'Timeline events of the scenario without effect' }),
    pending: z.array(Pending).readonly().optional().openapi({
      description: 'Sales and refunds that were pending at the time of the verdict, 100 at most',
    }),
    totals: z
      .array(Total)
      .readonly()
      .openapi({ description: 'Money that moved since the start, with refunds of fixture sales' }),
    purchases: z
      .array(Purchase)
      .readonly()
      .openapi({ description: 'Those with findings, and the latest others, 100 in all' }),
    counts: z.object({
      requests: count,
      dropped: count,
      open: count,
      purchases: count,
      findings: z.partialRecord(z.enum(severities), count),
      suppressed: count,
      findingsLeftOut: count.optional().openapi({
        description: 'How many more findings there are beyond the hundred most severe of each rule',
      }),
      pendingLeftOut: count.optional().openapi({
        description: 'How many more sales and refunds were pending than `pending` lists',
      }),
    }),
    tried: z
      .array(Tried)
      .readonly()
      .openapi({ description: 'Outcomes that were forced, by operation' }),
  })
  .openapi('Verdict');

/** The verb checks it by `VerdictOptions` and names every problem. */
export const VerdictRequest = z.record(z.string(), z.unknown()).openapi('VerdictRequest', {
  example: { failOn: 'high', expect: { sales: { perIntent: '<=1' } } },
});

export const verdictSchemas = verbSchemas({
  verdict: {
    summary: 'Judge what happened to the money',
    description:
      'Events that are due happen first. Then it reports double charges, charges that the client never learned of, excessive refunds, and client behaviour that can cause them. With `all=true` or `prefix` it returns a list, failed verdicts first. If no merchant has the prefix, it returns one verdict, which fails because nothing was tested.',
    tag: 'Verdict',
    body: VerdictRequest,
    output: Verdict,
    outputOfAll: z.array(Verdict),
    answer: 'The verdict, passed or not',
  },
  verdictPage: {
    summary: 'Show the verdict as a page for people',
    description:
      'What happened to the money so far, with a timeline of each purchase: of one merchant, of those with the prefix, or of all. If the client accepts text/html, as browsers do, debug ids link to the explanations of their requests. Other clients receive a file to keep.',
    tag: 'Verdict',
    output: z.string().openapi({ example: '<!doctype html>…' }),
    answer: 'One file that runs no script and loads nothing',
    contentType: 'text/html',
  },
});
