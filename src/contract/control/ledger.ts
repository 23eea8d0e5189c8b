/** Schemas of the ledger: transfers, balances and totals. */
import { z } from '@hono/zod-openapi';
import { verbSchemas } from './declare.ts';

const minor = z.int().openapi({ description: 'Minor units', example: 3011 });
const account = z.enum(['cardholders', 'merchant']);

const Transfer = z.object({
  cause: z.enum(['sale', 'capture', 'refund', 'reversal', 'chargeback', 'chargeback-won']),
  subject: z.string().openapi({ description: 'Id of the sale, capture or refund' }),
  payment: z.string(),
  debit: account,
  credit: account,
  amount: z.object({ minor: z.int(), currency: z.string() }),
  atMs: z.number().openapi({ description: "The merchant's time, milliseconds since 1970" }),
});

const turnover = {
  currency: z.string().openapi({ example: 'USD' }),
  chargedMinor: minor.openapi({ description: 'Sales and captures' }),
  refundedMinor: minor,
  reversedMinor: minor.openapi({ description: 'Taken back by reversals', example: 0 }),
  chargedBackMinor: minor.openapi({
    description: 'Taken back by disputes, minus those that the merchant won',
    example: 0,
  }),
  netMinor: minor.openapi({ description: 'What the merchant received minus what went back' }),
};

export const LedgerTotals = z
  .object({
    cards: z
      .array(
        z.object({
          cardId: z
            .string()
            .optional()
            .openapi({ description: 'Absent for cards that were never stored' }),
          ...turnover,
        }),
      )
      .readonly(),
    customers: z
      .array(
        z.object({
          customerId: z.string().optional().openapi({
            description:
              'The external_customer_id, or payer_id, of the payments; absent if they have none',
          }),
          ...turnover,
        }),
      )
      .readonly(),
    purchases: z
      .array(
        z.object({
          key: z.string().openapi({ description: 'As in a verdict' }),
          label: z.string().openapi({ description: 'Its invoice number, `custom` or description' }),
          paymentIds: z.array(z.string()).readonly(),
          ...turnover,
        }),
      )
      .readonly()
      .openapi({
        description:
          'One purchase as the buyer sees it. A payment without an invoice number or `custom`, whose request the journal has dropped, is a purchase of its own.',
      }),
  })
  .openapi('LedgerTotals', {
    description:
      "One row for each and for each currency, in the order of their first transfers. Each of the three lists adds up to the merchant's balance.",
  });

export const LedgerReading = z
  .object({
    transfers: z.array(Transfer).readonly(),
    balances: z
      .record(z.string(), z.object({ cardholders: minor, merchant: minor }))
      .openapi({ description: 'By currency; its two accounts add up to zero' }),
    sums: z.record(z.string(), z.int()).openapi({
      description: 'The sum of all accounts of a currency. It is always 0.',
      example: { USD: 0 },
    }),
    totals: LedgerTotals,
  })
  .openapi('Ledger');

export const ledgerSchemas = verbSchemas({
  ledger: {
    summary: "Show what moved in a merchant's world, and the totals",
    description: 'Double entry, in minor units. Events that are due happen first.',
    tag: 'Ledger',
    output: LedgerReading,
    answer: 'Transfers, oldest first, balances, and totals',
  },
});
