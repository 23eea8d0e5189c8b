/** The schemas of rules and gates: which requests they apply to, and what happens to those. */
import { z } from '@hono/zod-openapi';
import { gatePoints } from '../../contract/constants.ts';
import { outcomeIds } from '../../outcomes/catalogue.ts';
import { naturalStep, type OutcomeIdOrOk } from '../../outcomes/outcome-id.ts';
import { maxMatchedLength } from '../../outcomes/rules/pattern.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import { timePointField } from '../time-point.ts';
import { operationWords } from './operation-words.ts';

const maxTtlMs = 365 * 86_400_000;

/** The most requests of one gate. Each waits with its whole body. */
const maxGateCount = 100;

/** Most clients hang up after five minutes without an answer. */
const maxGateTimeoutMs = 240_000;

/** Reports, pages and addresses hold names. */
export const maxNameLength = 128;

/** The message about a name that is too long. */
export const nameLengthForm = `A name must have ${maxNameLength} characters at most.`;

/** Lower-case words with dashes. */
export const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a name is safe to print: control characters could break lines in logs or control a terminal. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

/** The message about a name that is not safe to print. */
export const oneLineMessage = 'A name must be one line without control characters.';

/** The schemas of a rule, of a gate and of their parts. Unknown keys are errors, so that typing errors are found. */
export const scenarioRuleSchemas = onFirstUse(() => {
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

  const countForm = `must be a whole number from 1 to ${maxGateCount}`;
  const timeoutForm = `must be a whole number of milliseconds from 1 to ${maxGateTimeoutMs}`;

  const ScenarioGate = z.strictObject({
    name: Name.optional().meta({
      description: `Name of the gate in reports, ${maxNameLength} characters at most. Default: a numbered name.`,
    }),
    op: OperationOrList.meta({
      description: 'Operation whose requests are held, or a list of operations.',
    }),
    match: Match,
    count: z
      .int({ error: countForm })
      .min(1, countForm)
      .max(maxGateCount, countForm)
      .meta({ description: `How many requests the gate holds, from 1 to ${maxGateCount}.` }),
    at: z.enum(gatePoints).optional().meta({
      description:
        'Where requests are held: before-commit, once they are valid, or before-answer, once their answer is ready. Default: before-commit.',
    }),
    timeoutMs: z
      .int({ error: timeoutForm })
      .min(1, timeoutForm)
      .max(maxGateTimeoutMs, timeoutForm)
      .optional()
      .meta({
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

  return {
    rule: ScenarioRule,
    gate: ScenarioGate,
    step: StepIn,
    simpleStep: SimpleStep,
    params: Params,
    state: State,
  };
});

type Schemas = ReturnType<typeof scenarioRuleSchemas>;

export type ReadRule = z.output<Schemas['rule']>;
export type ReadGate = z.output<Schemas['gate']>;
export type ReadStep = z.output<Schemas['step']>;
export type ReadSimpleStep = z.output<Schemas['simpleStep']>;
