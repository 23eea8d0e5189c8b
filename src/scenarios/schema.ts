/** The schema of scenario documents. Editors, error messages and the published types show its descriptions. */
import { z } from '@hono/zod-openapi';
import { endOfTimeMs } from '../domain/calendar.ts';
import { onFirstUse } from '../shared/lazy.ts';
import { BillingAddressIn } from '../contract/service/common.ts';
import { CardIn, cardNumberFields } from '../contract/service/vault.ts';
import { expectationsSchema } from './expect.ts';
import { fixedTimeField, timePointField } from './time-point.ts';
import { kebab, maxNameLength, nameLengthForm, scenarioRuleSchemas } from './rules/rule-schema.ts';

/** The schemas of a scenario and of its parts. Unknown keys are errors, so that typing errors are found. */
export const scenarioSchemas = onFirstUse(() => {
  const { rule, gate, params, state } = scenarioRuleSchemas();

  const GivenCard = z.strictObject({
    ref: z
      .string()
      .regex(kebab, 'A ref must consist of lower-case letters, digits and dashes.')
      .meta({ description: 'Name of the card in this scenario.' }),
    number: cardNumberFields.number.meta({
      description: 'Full card number, 12 to 19 digits in quotes. Only published test numbers.',
    }),
    type: cardNumberFields.type.meta({ description: 'Brand of the card.' }),
    expire: z
      .string()
      .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Must be a month.')
      .meta({ description: 'Month of expiry in quotes, such as 2031-05.' }),
    first_name: cardNumberFields.first_name.meta({ description: 'Up to 25 characters.' }),
    last_name: cardNumberFields.last_name.meta({ description: 'Up to 25 characters.' }),
    billing_address: BillingAddressIn.strict().optional(),
    external_customer_id: CardIn.shape.external_customer_id.meta({
      description: 'Your id of the customer. Payments with this card must send the same id.',
    }),
    validUntil: timePointField('When the vault stops to accept the card.').optional(),
  });

  const SaleMatch = z
    .strictObject({
      purchase: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'Invoice number or custom of the purchase.' }),
      requestId: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'PayPal-Request-Id of the request that made the sale.' }),
      id: z.string().min(1).optional().meta({ description: 'Id of the sale or of its payment.' }),
      nth: z.int().min(1, 'Must be 1 or more.').optional().meta({
        description: 'Which of these sales, counted from 1. Default: the last one.',
      }),
    })
    .refine(
      (match) => Object.keys(match).length > 0,
      'Must name the sale with purchase, requestId, id or nth.',
    );

  // An entry that names neither an event nor a state is explained as an event.
  const TimelineEntry = z.union([
    z.strictObject({
      at: timePointField('When the event happens.'),
      event: z
        .string()
        .meta({ description: 'Event of a sale or a card, such as sale-reversed-later.' }),
      sale: z
        .union([z.enum(['first', 'last', 'every']), SaleMatch])
        .optional()
        .meta({
          description:
            'Which sale the event happens to, including sales of fixtures: first, last, every, or { purchase, requestId, id, nth }. Default: last.',
        }),
      card: z
        .string()
        .optional()
        .meta({ description: 'Given card of the event. For a sale: only sales with this card.' }),
      with: params.optional(),
      optional: z
        .boolean()
        .optional()
        .meta({ description: 'If true, the event is not reported when it has no effect.' }),
    }),
    z.strictObject({
      at: timePointField('When the state changes.'),
      goto: state.meta({ description: 'State that the scenario changes to.' }),
    }),
  ]);

  const ScenarioDocumentIn = z
    .strictObject({
      $schema: z
        .string()
        .optional()
        .meta({ description: 'JSON Schema for editors. The sandbox ignores it.' }),
      scenario: z
        .string()
        .max(maxNameLength, nameLengthForm)
        .regex(kebab, 'A name must consist of lower-case letters, digits and dashes.')
        .meta({ description: 'Name of this scenario.' }),
      version: z.literal(1).meta({ description: 'Version of the scenario format: 1.' }),
      about: z.string().min(1).optional().meta({
        description: 'What the scenario is for, in one sentence.',
      }),
      seed: z
        .union([z.int(), z.string().min(1)])
        .optional()
        .meta({ description: 'Seed of random draws. Default: the seed of the sandbox.' }),
      clock: z
        .strictObject({
          mode: z.enum(['real', 'virtual']).optional().meta({
            description:
              'real: the clock runs with real time. virtual: the clock stands still until it is advanced.',
          }),
          start: fixedTimeField('When the scenario starts.')
            .refine(
              (atMs) => atMs <= endOfTimeMs,
              `Must not be after ${new Date(endOfTimeMs).toISOString()}.`,
            )
            .optional(),
          frozen: z
            .boolean()
            .optional()
            .meta({ description: 'Whether the clock stands still at the start.' }),
        })
        .optional()
        .meta({ description: "The merchant's clock." }),
      fixtures: z.string().min(1).optional().meta({
        description: 'Starting data: a built-in set (default, empty, shop), a file or a folder.',
      }),
      given: z
        .strictObject({ cards: z.array(GivenCard).meta({ description: 'Cards in the vault.' }) })
        .optional()
        .meta({ description: 'Cards that are in the vault at the start.' }),
      states: z
        .array(state)
        .min(1, 'Must list at least one state.')
        .optional()
        .meta({ description: 'States of the service. The first one is the initial state.' }),
      timeline: z
        .array(TimelineEntry)
        .optional()
        .meta({ description: "State changes and events by the merchant's clock." }),
      rules: z.array(rule).optional().meta({
        description: 'Rules that decide what happens to requests. The first rule that fires wins.',
      }),
      hold: z
        .union([gate, z.array(gate).min(1, 'Must list at least one gate.')])
        .optional()
        .meta({
          description: 'Gate that holds requests so that they overlap, or a list of gates.',
        }),
      expect: expectationsSchema()
        .optional()
        .meta({ description: 'Expectations that a verdict checks.' }),
    })
    .meta({ title: 'Scenario of card-vault-sandbox' });

  return { document: ScenarioDocumentIn, givenCard: GivenCard };
});

type Schemas = ReturnType<typeof scenarioSchemas>;

/** A scenario document after parsing. */
export type ReadScenario = z.output<Schemas['document']>;
export type ReadGivenCard = z.output<Schemas['givenCard']>;

/** Returns the JSON Schema of scenario documents for editors. Most editors support draft 7. */
export function scenarioJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(scenarioSchemas().document, { io: 'input', target: 'draft-7' });
}
