/** What should be true once a scenario was played. Kept with the scenario for whoever judges a run. */
import { z } from '@hono/zod-openapi';
import { findingIds } from '../contract/finding-ids.ts';
import { onFirstUse } from '../shared/lazy.ts';
import { fixedTimeField } from './time-point.ts';

const countWords = 'must be a number, or a bound like "<=2"';
const count = z
  .union([z.int().nonnegative(countWords), z.string().regex(/^(?:<=|>=|<|>)\d+$/, countWords)])
  .meta({ id: 'Count', description: 'How many: a number, or a bound in quotes like "<=2".' });

const byCard = z.record(z.string(), count).meta({
  description: 'By the ref of a given card, or the id of any.',
});

/** `after` is how a time is written: in a file as people write it, in an export as it was read. */
const salesWith = (after: z.ZodType<number>) =>
  z.strictObject({
    total: count.optional(),
    perIntent: count.optional().meta({ description: 'For each purchase as the buyer sees it.' }),
    byCard: byCard.optional(),
    states: z
      .partialRecord(z.enum(['pending', 'completed', 'denied', 'refunded']), count)
      .optional(),
    onCard: z
      .record(z.string(), z.strictObject({ after: after, count }))
      .optional()
      .meta({ description: 'With a given card, or one named by its id, from a time on.' }),
    onDeletedCard: count.optional(),
  });

/** Expectations whose times are written in one way. */
export const expectationsWith = (after: z.ZodType<number>) =>
  z.strictObject({
    sales: salesWith(after).optional().meta({
      description:
        'Made by requests in the journal: those of fixtures, and of before a restore or an import, are not counted.',
    }),
    orphans: count
      .optional()
      .meta({ description: 'Sales of which the client never learnt, by any answer.' }),
    attempts: z
      .strictObject({ perIntent: count.optional(), byCard: byCard.optional() })
      .optional()
      .meta({ description: 'Tries to pay.' }),
    requests: z
      .record(z.string(), count)
      .optional()
      .meta({ description: 'Requests by operation, like token.create: "<=4".' }),
    sameRequestId: z.array(z.string()).optional().meta({
      description: 'Operations whose repeats must carry the request id of the first try.',
    }),
    refunds: z
      .strictObject({
        total: count.optional(),
        perSale: z
          .strictObject({
            count: count.optional(),
            total: z.enum(['<=sale', '=sale']).optional(),
          })
          .optional(),
      })
      .optional(),
    ledger: z
      .union([
        z.literal('balanced'),
        z.strictObject({ lossPerSale: z.string().regex(/^<=\dx$/, 'must be a bound like "<=1x"') }),
      ])
      .optional()
      .meta({ description: 'balanced, or how much may be lost on one sale, like "<=1x".' }),
    cards: z
      .strictObject({ perPan: count.optional(), total: count.optional() })
      .optional()
      .meta({ description: 'Cards in the vault.' }),
    findings: z
      .strictObject({
        none: z.array(z.enum(findingIds)),
      })
      .optional()
      .meta({ description: 'What nobody may notice about the client.' }),
    beliefs: z.strictObject({ paidWithoutCompletedSale: count }).optional(),
    webhooks: z
      .strictObject({
        acknowledged: z.literal('all').optional(),
        badSignatureAccepted: count.optional(),
      })
      .optional(),
  });

/** As a scenario file writes them. */
export const expectationsSchema = onFirstUse(() =>
  expectationsWith(fixedTimeField('From when on.')),
);
export type Expectations = z.output<ReturnType<typeof expectationsSchema>>;
export type ExpectationsInput = z.input<ReturnType<typeof expectationsSchema>>;
