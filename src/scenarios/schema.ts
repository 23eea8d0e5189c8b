/** The schema of scenario documents. Editors, error messages and the published types show its descriptions. */
import { z } from '@hono/zod-openapi';
import { gatePoints } from '../contract/constants.ts';
import { endOfTimeMs } from '../domain/calendar.ts';
import { onFirstUse } from '../shared/lazy.ts';
import { BillingAddressIn } from '../contract/service/common.ts';
import { CardIn, cardNumberFields } from '../contract/service/vault.ts';
import { outcomeIds } from '../outcomes/catalogue.ts';
import { naturalStep, type OutcomeIdOrOk } from '../outcomes/outcome-id.ts';
import { maxMatchedLength } from '../outcomes/rules/pattern.ts';
import { expectationsSchema } from './expect.ts';
import { fixedTimeField, timePointField } from './time-point.ts';
import { operationWords } from './rules/operation-words.ts';

const maxTtlMs = 365 * 86_400_000;

/** The most requests of one gate. Each waits with its whole body. */
const maxGateCount = 100;

/** Most clients hang up after five minutes without an answer. */
const maxGateTimeoutMs = 240_000;

/** Reports, pages and addresses hold names. */
const maxNameLength = 128;

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a name is safe to print: control characters could break lines in logs or control a terminal. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

/** The message about a name that is not safe to print. */
export const oneLineMessage = 'A name must be one line without control characters.';

/** The schemas of a scenario and of its parts. Unknown keys are errors, so that typing errors are found. */
export const scenarioSchemas = onFirstUse(() => {
  // The schema accepts any text. The type lists the ids, so that editors complete them.
  const Outcome = z.string().meta({
    id: 'Outcome',
    description: 'Outcome of the catalogue, or ok for natural behaviour.',
    enum: [naturalStep, ...outcomeIds],
  }) as z.ZodType<OutcomeIdOrOk, OutcomeIdOrOk>;

  const Bound = z.union([z.string(), z.number()]);

  const Params = z.record(z.string(), Bound.meta({ description: 'Text or a number.' })).meta({
    id: 'Parameters',
    description: 'Parameters of the outcome. Each is text or a number.',
  });

  const SimpleStep = z
    .union([Outcome, z.strictObject({ outcome: Outcome, with: Params.optional() })])
    .meta({ id: 'SimpleStep', description: 'Outcome, or { outcome, with }.' });

  const StepIn = z
    .union([
      Outcome,
      z.strictObject({
        outcome: Outcome,
        with: Params.optional(),
        and: SimpleStep.optional().meta({
          description:
            'Second outcome of the same request: one about money, one about the transport.',
        }),
      }),
      z.strictObject({
        oneOf: z.array(SimpleStep).min(2, 'Must list at least two outcomes.').meta({
          description: 'Outcomes of which one is drawn for each request.',
        }),
      }),
    ])
    .meta({ id: 'Step', description: 'Outcome, { outcome, with, and }, or { oneOf: [...] }.' });

  const Plain = z.union([z.string(), z.number(), z.boolean()]);

  const Condition = z
    .union([
      Plain,
      z.strictObject({
        eq: Plain.optional().meta({ description: 'Equal to this value.' }),
        ne: Plain.optional().meta({ description: 'Not equal to this value.' }),
        gt: Bound.optional().meta({ description: 'Greater than this number or duration.' }),
        gte: Bound.optional().meta({ description: 'At least this number or duration.' }),
        lt: Bound.optional().meta({ description: 'Less than this number or duration.' }),
        lte: Bound.optional().meta({ description: 'At most this number or duration.' }),
        in: z.array(Plain).min(1).optional().meta({ description: 'One of these values.' }),
        matches: z
          .string()
          .optional()
          .meta({
            description: `Regular expression without lookaheads and backreferences. Text of more than ${maxMatchedLength} characters never matches.`,
          }),
        exists: z.boolean().optional().meta({ description: 'Whether the value must exist.' }),
      }),
    ])
    .meta({
      id: 'Condition',
      description: 'Value, or comparisons: { eq, ne, gt, gte, lt, lte, in, matches, exists }.',
    });

  const Operation = z.enum(operationWords).meta({
    id: 'Operation',
    description: 'Operation, a family such as card.*, any-write, or any.',
  });

  const nameLengthForm = `A name must have ${maxNameLength} characters at most.`;

  const State = z
    .string()
    .max(maxNameLength, nameLengthForm)
    .regex(kebab, 'A state must consist of lower-case letters, digits and dashes.');

  const Name = z
    .string()
    .min(1, 'A name must not be empty.')
    .max(maxNameLength, nameLengthForm)
    // The name is part of URLs, where these would be relative paths.
    .refine((name) => name !== '.' && name !== '..', 'A name must not be "." or "..".')
    .refine(isOneLine, oneLineMessage);

  const OperationOrList = z.union([
    Operation,
    z.array(Operation).min(1, 'Must list at least one operation.'),
  ]);

  const Match = z.record(z.string(), Condition).optional().meta({
    description:
      'Conditions that must all hold, by a path into the body, header:<name>, path:<name>, or a value such as $card.',
  });

  const ScenarioRule = z
    .strictObject({
      name: Name.optional().meta({
        description: `Name of the rule in reports, ${maxNameLength} characters at most. Default: a numbered name.`,
      }),
      op: OperationOrList.meta({
        description: 'Operation that the rule applies to, or a list of operations.',
      }),
      match: Match,
      per: z.enum(['intent', 'card', 'sale', 'merchant']).optional().meta({
        description:
          'Whose requests are counted together: those of one purchase (intent), one card, one sale, or all of the merchant. Default: merchant.',
      }),
      nth: z.int().min(1, 'Must be 1 or more.').optional().meta({
        description:
          'Only this request fires the rule: 2 is the second request of the operation that fits match.',
      }),
      times: z
        .int()
        .min(1, 'Must be 1 or more.')
        .optional()
        .meta({ description: 'How often the rule may fire in total.' }),
      probability: z
        .number()
        .min(0, 'Must be between 0 and 1.')
        .max(1, 'Must be between 0 and 1.')
        .optional()
        .meta({
          description:
            'Probability that the rule fires, from 0 to 1. The seed, the purchase and its attempt decide each draw.',
        }),
      after: timePointField('When the rule starts to apply.').optional(),
      before: timePointField('When the rule stops to apply.').optional(),
      while: State.optional().meta({
        description: 'State of the scenario in which the rule applies.',
      }),
      then: z
        .union([StepIn, z.array(StepIn).min(1, 'Must list at least one step.')])
        .optional()
        .meta({
          description:
            'What happens: one step, or a list with one step for each request. The last step repeats.',
        }),
      always: z.array(SimpleStep).min(1, 'Must list at least one outcome.').optional().meta({
        description: 'What happens to every matching response, in addition to other outcomes.',
      }),
      params: Params.optional().meta({
        description:
          'Parameters for every outcome of this rule that has them. Values in "with" take precedence.',
      }),
      ttlMs: z
        .int('Must be a whole number of milliseconds.')
        .min(1, 'Must be 1 or more.')
        .max(maxTtlMs, `Must be at most ${maxTtlMs}, which is a year.`)
        .optional()
        .meta({
          description: 'Milliseconds of real time after which the rule expires. Default: never.',
        }),
      optional: z
        .boolean()
        .optional()
        .meta({ description: 'If true, the rule is not reported when it never fires.' }),
    })
    .refine(
      ({ then, always }) => then !== undefined || always !== undefined,
      'Must say what happens, with then, always or both.',
    );

  const countForm = `Must be a whole number from 1 to ${maxGateCount}.`;
  const timeoutForm = `Must be a whole number of milliseconds from 1 to ${maxGateTimeoutMs}.`;

  const ScenarioGate = z.strictObject({
    name: Name.optional().meta({
      description: `Name of the gate in reports, ${maxNameLength} characters at most. Default: a numbered name.`,
    }),
    op: OperationOrList.meta({
      description: 'Operation whose requests are held, or a list of operations.',
    }),
    match: Match,
    count: z
      .int()
      .min(1, countForm)
      .max(maxGateCount, countForm)
      .meta({ description: `How many requests the gate holds, from 1 to ${maxGateCount}.` }),
    at: z.enum(gatePoints).optional().meta({
      description:
        'Where requests are held: before-commit, once they are valid, or before-answer, once their answer is ready. Default: before-commit.',
    }),
    timeoutMs: z.int().min(1, timeoutForm).max(maxGateTimeoutMs, timeoutForm).optional().meta({
      description:
        'Real time in milliseconds without a further request, after which the gate releases what it holds. Default: 3000.',
    }),
    release: z
      .union([
        z.enum(['arrival', 'reverse']),
        z.array(z.int()).min(1, 'Must list at least one number.'),
      ])
      .optional()
      .meta({
        description:
          'Releases the requests as soon as all came, in this order: arrival, reverse, or their numbers in order of arrival, such as [3, 1, 2]. Default: they wait for a release.',
      }),
    optional: z
      .boolean()
      .optional()
      .meta({ description: 'If true, the gate is not reported when fewer requests come.' }),
  });

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
      with: Params.optional(),
      optional: z
        .boolean()
        .optional()
        .meta({ description: 'If true, the event is not reported when it has no effect.' }),
    }),
    z.strictObject({
      at: timePointField('When the state changes.'),
      goto: State.meta({ description: 'State that the scenario changes to.' }),
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
        .array(State)
        .min(1, 'Must list at least one state.')
        .optional()
        .meta({ description: 'States of the service. The first one is the initial state.' }),
      timeline: z
        .array(TimelineEntry)
        .optional()
        .meta({ description: "State changes and events by the merchant's clock." }),
      rules: z.array(ScenarioRule).optional().meta({
        description: 'Rules that decide what happens to requests. The first rule that fires wins.',
      }),
      hold: z
        .union([ScenarioGate, z.array(ScenarioGate).min(1, 'Must list at least one gate.')])
        .optional()
        .meta({
          description: 'Gate that holds requests so that they overlap, or a list of gates.',
        }),
      expect: expectationsSchema()
        .optional()
        .meta({ description: 'Expectations that a verdict checks.' }),
    })
    .meta({ title: 'Scenario of card-vault-sandbox' });

  return {
    document: ScenarioDocumentIn,
    rule: ScenarioRule,
    gate: ScenarioGate,
    step: StepIn,
    simpleStep: SimpleStep,
    givenCard: GivenCard,
  };
});

type Schemas = ReturnType<typeof scenarioSchemas>;

/** A scenario document after parsing. */
export type ReadScenario = z.output<Schemas['document']>;
export type ReadRule = z.output<Schemas['rule']>;
export type ReadGate = z.output<Schemas['gate']>;
export type ReadStep = z.output<Schemas['step']>;
export type ReadSimpleStep = z.output<Schemas['simpleStep']>;
export type ReadGivenCard = z.output<Schemas['givenCard']>;

/** Returns the JSON Schema of scenario documents for editors. Most editors support draft 7. */
export function scenarioJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(scenarioSchemas().document, { io: 'input', target: 'draft-7' });
}
