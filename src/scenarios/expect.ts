/** The expectations of a scenario, which a verdict checks after a run. */
import { boundedList } from '../documents/bounded-list.ts';
import { z } from '@hono/zod-openapi';
import { findingIds } from '../contract/finding-ids.ts';
import { onFirstUse } from '../shared/lazy.ts';
import type { ExpectationsDocument } from './document.ts';
import { moneyExample } from './expected-money.ts';
import { fixedTimeField } from './time-point.ts';

const countWords = 'must be a number, or a bound such as "<=2"';
const count = z
  .union([z.int().nonnegative(countWords), z.string().regex(/^(?:<=|>=|<|>)\d+$/, countWords)])
  .meta({ id: 'Count', description: 'Number, or a bound in quotes such as "<=2".' });

const byCard = z.record(z.string(), count).meta({
  description: 'Count by card: the ref of a given card, or the id of any card.',
});

const money = z.union([z.string(), z.array(z.string())]).meta({
  id: 'Money',
  description: `Amount and currency in one text, such as ${moneyExample}, with an optional bound such as <=. Several currencies: a list. Currencies that are not listed must be zero.`,
});

const moneyShape = {
  charged: money
    .optional()
    .meta({ description: `Money that was charged, such as ${moneyExample}.` }),
  refunded: money.optional().meta({
    description: `Money that refunds returned, such as ${moneyExample}.`,
  }),
  net: money.optional().meta({
    description: `Money that the merchant keeps, such as ${moneyExample}: charges minus refunds, reversals and chargebacks.`,
  }),
  authorized: money.optional().meta({
    description: `Money that authorizations still hold, such as ${moneyExample}: not captured, voided or expired.`,
  }),
};

/** Builds the schema of expected sales. `after` is the schema of times: text in a file, a number in an export. */
const salesWith = (after: z.ZodType<number>) =>
  z.strictObject({
    total: count.optional().meta({ description: 'Number of sales in total.' }),
    perIntent: count.optional().meta({ description: 'Number of sales for each purchase.' }),
    byCard: byCard.optional(),
    states: z
      .partialRecord(z.enum(['pending', 'completed', 'denied', 'refunded']), count)
      .optional()
      .meta({ description: 'Number of sales by state.' }),
    onCard: z
      .record(z.string(), z.strictObject({ after: after, count }))
      .optional()
      .meta({ description: 'Number of sales with a card after a time, by ref or card id.' }),
    onDeletedCard: count.optional().meta({ description: 'Number of sales with deleted cards.' }),
  });

/** Builds the schema of expectations. `after` is the schema of times. */
export const expectationsWith = (after: z.ZodType<number>) =>
  z.strictObject({
    sales: salesWith(after).optional().meta({
      description:
        'Sales made by requests in the journal. Sales of fixtures, and sales before a restore or an import, are not counted.',
    }),
    orphans: count
      .optional()
      .meta({ description: 'Number of sales that no response disclosed to the client.' }),
    attempts: z
      .strictObject({ perIntent: count.optional(), byCard: byCard.optional() })
      .optional()
      .meta({ description: 'Number of payment attempts.' }),
    requests: z
      .record(z.string(), count)
      .optional()
      .meta({ description: 'Number of requests by operation, such as token.create: "<=4".' }),
    sameRequestId: boundedList(z.array(z.string())).optional().meta({
      description: 'Operations whose retries must send the request id of the first attempt.',
    }),
    refunds: z
      .strictObject({
        total: count.optional().meta({ description: 'Number of refunds in total.' }),
        perSale: z
          .strictObject({
            count: count.optional().meta({ description: 'Number of refunds.' }),
            total: z
              .enum(['<=sale', '=sale'])
              .optional()
              .meta({ description: 'Sum of the refunds, compared with the sale.' }),
          })
          .optional()
          .meta({ description: 'Refunds of each sale.' }),
      })
      .optional()
      .meta({ description: 'Refunds of sales and captures.' }),
    ledger: z
      .union([
        z.literal('balanced'),
        z.strictObject({
          lossPerSale: z.string().regex(/^<=\dx$/, 'must be a bound such as "<=1x"'),
        }),
      ])
      .optional()
      .meta({ description: 'balanced, or the most that one sale may lose, such as "<=1x".' }),
    ...moneyShape,
    purchases: z.record(z.string(), z.strictObject(moneyShape)).optional().meta({
      description:
        'Money of single purchases, by invoice number, custom, request id, or id of the payment.',
    }),
    cards: z
      .strictObject({ perPan: count.optional(), total: count.optional() })
      .optional()
      .meta({ description: 'Cards in the vault.' }),
    findings: z
      .strictObject({
        none: boundedList(z.array(z.enum(findingIds))),
      })
      .optional()
      .meta({ description: 'Findings that the verdict must not report.' }),
    beliefs: z
      .strictObject({ paidWithoutCompletedSale: count })
      .optional()
      .meta({ description: 'Number of orders that the client claims as paid without a sale.' }),
  });

/** The schema of expectations in a scenario file. */
export const expectationsSchema = onFirstUse(() =>
  expectationsWith(fixedTimeField('When the count starts.')),
) satisfies () => z.ZodType<Expectations>;

type SalesDocument = NonNullable<ExpectationsDocument['sales']>;

/** Expected sales with times in milliseconds. */
interface ExpectedSales extends Omit<SalesDocument, 'onCard'> {
  readonly onCard?:
    | { readonly [card: string]: { readonly after: number; readonly count: number | string } }
    | undefined;
}

/** Expectations as a verdict reads them. It is a plain interface, because exports of worlds contain it. */
export interface Expectations extends Omit<ExpectationsDocument, 'sales'> {
  readonly sales?: ExpectedSales | undefined;
}
export type { ExpectationsDocument as ExpectationsInput };
