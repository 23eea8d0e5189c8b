/** What a scenario document may say. Descriptions are read by people: in editors, and in messages about mistakes. */
import { z } from '@hono/zod-openapi';
import { endOfTimeMs } from '../domain/calendar.ts';
import { onFirstUse } from '../shared/lazy.ts';
import { BillingAddressIn } from '../contract/service/common.ts';
import { CardIn, cardNumberFields } from '../contract/service/vault.ts';
import { outcomeIds } from '../outcomes/catalogue.ts';
import { naturalStep, type OutcomeIdOrOk } from '../outcomes/outcome-id.ts';
import { maxMatchedLength } from '../outcomes/rules/pattern.ts';
import { expectationsSchema } from './expect.ts';
import { fixedTimeField, timePointField, durationField } from './time-point.ts';
import { operationWords } from './rules/operation-words.ts';

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a name can be printed as it is: control characters end lines in logs and reports, or speak to terminals. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

/** What is said of one that cannot. */
export const oneLineMessage = 'A name is one line, without control characters.';

/** The schemas of a scenario and of its parts. Unknown keys are mistakes, so that typos show. */
export const scenarioSchemas = onFirstUse(() => {
  // Any text, of which the compiler is told the ids that editors are to offer.
  const Outcome = z.string().meta({
    id: 'Outcome',
    description: 'An outcome of the catalogue, or ok for natural behaviour.',
    enum: [naturalStep, ...outcomeIds],
  }) as z.ZodType<OutcomeIdOrOk, OutcomeIdOrOk>;

  const Bound = z.union([z.string(), z.number()]);

  const Params = z.record(z.string(), Bound.meta({ description: 'A text or a number.' })).meta({
    id: 'Parameters',
    description: 'Parameters of the outcome, each a text or a number.',
  });

  const SimpleStep = z
    .union([Outcome, z.strictObject({ outcome: Outcome, with: Params.optional() })])
    .meta({ id: 'SimpleStep', description: 'An outcome, or { outcome, with }.' });

  const StepIn = z
    .union([
      Outcome,
      z.strictObject({
        outcome: Outcome,
        with: Params.optional(),
        and: SimpleStep.optional().meta({
          description: 'Another outcome of the same answer: of the money beside one of the wire.',
        }),
      }),
      z.strictObject({
        oneOf: z.array(SimpleStep).min(2, 'Two outcomes at least, to draw from.').meta({
          description: 'One of these is drawn each time.',
        }),
      }),
    ])
    .meta({ id: 'Step', description: 'An outcome, { outcome, with, and }, or { oneOf: [...] }.' });

  const Plain = z.union([z.string(), z.number(), z.boolean()]);

  const Condition = z
    .union([
      Plain,
      z.strictObject({
        eq: Plain.optional(),
        ne: Plain.optional(),
        gt: Bound.optional(),
        gte: Bound.optional(),
        lt: Bound.optional(),
        lte: Bound.optional(),
        in: z.array(Plain).min(1).optional(),
        matches: z
          .string()
          .optional()
          .meta({
            description: `A regular expression; texts of more than ${maxMatchedLength} characters meet none.`,
          }),
        exists: z.boolean().optional(),
      }),
    ])
    .meta({
      id: 'Condition',
      description: 'A value, or comparisons: { eq, ne, gt, gte, lt, lte, in, matches, exists }.',
    });

  const Operation = z.enum(operationWords).meta({
    id: 'Operation',
    description: 'An operation, a family like card.*, any-write, or any.',
  });

  const State = z.string().regex(kebab, 'A state is written in lower-case letters and dashes.');

  const nthWords = 'Only this attempt, counted from 1.';

  const ScenarioRule = z
    .strictObject({
      name: z
        .string()
        .min(1)
        // It stands in addresses, where these would be read as folders.
        .refine((name) => name !== '.' && name !== '..', 'No rule can be called "." or "..".')
        .refine(isOneLine, oneLineMessage)
        .optional()
        .meta({ description: 'What the rule is called in reports.' }),
      op: z
        .union([Operation, z.array(Operation).min(1, 'One operation at least.')])
        .meta({ description: 'The operation that the rule is about, or a list of them.' }),
      match: z.record(z.string(), Condition).optional().meta({
        description:
          'Conditions that must all hold: a path into the body, header:<name>, path:<name>, or a value like $card.',
      }),
      per: z.enum(['intent', 'card', 'sale', 'merchant']).optional().meta({
        description:
          'Whose attempts are counted together. Without it: intent, which is a purchase.',
      }),
      nth: z.int().min(1, 'Must be 1 or more.').optional().meta({ description: nthWords }),
      times: z
        .int()
        .min(1, 'Must be 1 or more.')
        .optional()
        .meta({ description: 'How often the rule may fire in all.' }),
      probability: z
        .number()
        .min(0, 'Must lie between 0 and 1.')
        .max(1, 'Must lie between 0 and 1.')
        .optional()
        .meta({ description: 'How likely it fires, from 0 to 1. Drawn from the seed.' }),
      after: timePointField('When it begins to hold.').optional(),
      before: timePointField('When it ends to hold.').optional(),
      while: State.optional().meta({ description: 'The state in which it holds.' }),
      then: z
        .union([StepIn, z.array(StepIn).min(1, 'One step at least.')])
        .optional()
        .meta({
          description:
            'What happens: one step, or a list with one step an attempt; the last repeats.',
        }),
      always: z.array(SimpleStep).min(1, 'One outcome at least.').optional().meta({
        description: 'What happens to every matching answer, beside whatever else does.',
      }),
      params: Params.optional().meta({
        description: 'Parameters of every outcome of this rule that has them; with comes before.',
      }),
      ttl: durationField('Machine time after which the rule is gone.').optional(),
      optional: z
        .boolean()
        .optional()
        .meta({ description: 'true: it is no mistake when the rule never fires.' }),
    })
    .refine(
      ({ then, always }) => then !== undefined || always !== undefined,
      'Say what happens: then, always, or both.',
    );

  const GivenCard = z.strictObject({
    ref: z
      .string()
      .regex(kebab, 'A ref is written in lower-case letters, digits and dashes.')
      .meta({ description: 'What this scenario calls the card.' }),
    number: cardNumberFields.number.meta({
      description: 'The full number, 12 to 19 digits in quotes. Published test numbers only.',
    }),
    type: cardNumberFields.type.meta({ description: 'The brand.' }),
    expire: z
      .string()
      .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'This is no month.')
      .meta({ description: 'The month of expiry in quotes, like 2031-05.' }),
    first_name: cardNumberFields.first_name.meta({ description: 'Up to 25 characters.' }),
    last_name: cardNumberFields.last_name.meta({ description: 'Up to 25 characters.' }),
    billing_address: BillingAddressIn.strict().optional(),
    external_customer_id: CardIn.shape.external_customer_id.meta({
      description: 'Your id of the customer. Payments with this card must then send it too.',
    }),
    validUntil: timePointField('Until when the vault keeps the card.').optional(),
  });

  const TimelineEntry = z.union([
    z.strictObject({
      at: timePointField('When.'),
      goto: State.meta({ description: 'The state that the scenario goes to.' }),
    }),
    z.strictObject({
      at: timePointField('When.'),
      event: z
        .string()
        .meta({ description: 'What befalls a sale or a card then: an outcome that comes later.' }),
      sale: z.enum(['first', 'last', 'every']).optional().meta({
        description: 'Which sale it befalls, those of fixtures among them. Without it: the last.',
      }),
      card: z
        .string()
        .optional()
        .meta({ description: 'The given card that it befalls; of sales, only those with it.' }),
      with: Params.optional(),
      optional: z
        .boolean()
        .optional()
        .meta({ description: 'Whether it may befall nothing. Without it that is reported.' }),
    }),
  ]);

  const EventStep = z.union([
    z.string(),
    z.strictObject({ outcome: z.string(), with: Params.optional() }),
  ]);

  const EventRule = z.strictObject({
    name: z.string().optional(),
    type: z.string().meta({ description: 'A type of event, like PAYMENT.SALE.COMPLETED, or *.' }),
    probability: z.number().min(0).max(1).optional(),
    then: z.union([EventStep, z.array(EventStep).min(1)]),
  });

  const ScenarioDocumentIn = z
    .strictObject({
      $schema: z.string().optional().meta({ description: 'For editors; read by nobody else.' }),
      scenario: z
        .string()
        .regex(kebab, 'A name is written in lower-case letters, digits and dashes.')
        .meta({ description: 'The name of this scenario.' }),
      version: z.literal(1).meta({ description: 'The version of this form: 1.' }),
      about: z.string().min(1).meta({ description: 'What it is for, in a sentence.' }),
      seed: z
        .union([z.int(), z.string().min(1)])
        .optional()
        .meta({ description: 'What chance is drawn from. Without it: the seed of the sandbox.' }),
      clock: z
        .strictObject({
          mode: z.enum(['real', 'virtual']).optional().meta({
            description: 'real: runs with the machine. virtual: stands still until it is advanced.',
          }),
          start: fixedTimeField('When the scenario begins.')
            .refine(
              (atMs) => atMs <= endOfTimeMs,
              `The last time a clock shows is ${new Date(endOfTimeMs).toISOString()}.`,
            )
            .optional(),
          frozen: z
            .boolean()
            .optional()
            .meta({ description: 'Whether the clock stands still at first.' }),
        })
        .optional(),
      fixtures: z.string().min(1).optional().meta({
        description: 'What the merchant begins with: a set that ships, a file or a folder.',
      }),
      given: z
        .strictObject({ cards: z.array(GivenCard) })
        .optional()
        .meta({ description: 'Cards that are in the vault when it begins.' }),
      states: z
        .array(State)
        .min(1, 'One state at least.')
        .optional()
        .meta({ description: 'States the service can be in. It begins in the first.' }),
      timeline: z
        .array(TimelineEntry)
        .optional()
        .meta({ description: "What happens by the merchant's clock." }),
      rules: z.array(ScenarioRule).optional().meta({
        description: 'What happens to requests. The first rule that fires wins.',
      }),
      events: z
        .array(EventRule)
        .optional()
        .meta({ description: 'What happens to webhooks. Kept for a sandbox that sends them.' }),
      expect: expectationsSchema()
        .optional()
        .meta({ description: 'What should be true in the end.' }),
    })
    .meta({ title: 'Scenario of card-vault-sandbox' });

  return {
    document: ScenarioDocumentIn,
    rule: ScenarioRule,
    step: StepIn,
    simpleStep: SimpleStep,
    givenCard: GivenCard,
  };
});

type Schemas = ReturnType<typeof scenarioSchemas>;

/** A scenario document as it is written. */
export type ScenarioDocument = z.input<Schemas['document']>;
export type RuleDocument = z.input<Schemas['rule']>;
export type StepDocument = z.input<Schemas['step']>;
export type SimpleStepDocument = z.input<Schemas['simpleStep']>;
export type GivenCardDocument = z.input<Schemas['givenCard']>;

/** A scenario document as it was read. */
export type ReadScenario = z.output<Schemas['document']>;
export type ReadRule = z.output<Schemas['rule']>;
export type ReadStep = z.output<Schemas['step']>;
export type ReadSimpleStep = z.output<Schemas['simpleStep']>;
export type ReadGivenCard = z.output<Schemas['givenCard']>;

/** The same as JSON Schema, for editors. Draft 7 is the one that most of them know. */
export function scenarioJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(scenarioSchemas().document, { io: 'input', target: 'draft-7' });
}
