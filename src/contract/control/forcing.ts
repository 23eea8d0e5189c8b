/** Schemas of the verbs about outcomes, rules, scenarios and card numbers for tests. */
import { z } from '@hono/zod-openapi';
import { brands } from '../../domain/card/brand.ts';
import { verbSchemas } from './declare.ts';
import { operationFamilies, operationNames } from '../service/operations.ts';

const Params = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .openapi({ example: { delay: '800ms' } });

const Parameter = z.object({
  default: z.union([z.string(), z.number()]),
  type: z.enum(['ms', 'duration', 'count', 'bytes', 'seconds', 'text']),
  oneOf: z
    .array(z.union([z.string(), z.number()]))
    .readonly()
    .optional(),
  most: z.string().optional().openapi({ description: 'The longest allowed duration' }),
  about: z.string(),
});

const words = z.array(z.string()).readonly();

export const Outcome = z
  .object({
    id: z.string(),
    tier: z.union([z.literal(1), z.literal(2), z.literal(3)]).openapi({
      description: '1 happens to every integration, 3 is rare',
    }),
    group: z.string(),
    operations: words.openapi({ description: 'Operations on which it can happen' }),
    needs: z.enum(['sale', 'stored-card', 'body']).optional().openapi({
      description:
        'What it needs of a request: `sale`, a payment with intent sale; `stored-card`, a card of the vault; `body`, an answer with a body, which HEAD does not have',
    }),
    triggers: words.openapi({ description: 'What can trigger it' }),
    cards: words.optional().openapi({ description: 'Card numbers that trigger it' }),
    names: words
      .optional()
      .openapi({ description: 'First names that trigger it, beside `SBX-<id>`' }),
    cents: words.optional().openapi({
      description: 'Last two digits of a total that trigger it, if magic amounts are on',
    }),
    phase: z
      .enum(['natural', 'before-read', 'before-commit', 'after-commit', 'answer', 'later'])
      .openapi({ description: 'At which point of a request it applies' }),
    commit: z
      .enum(['never', 'committed', 'as-normal', 'twice', 'deferred', 'replay', 'mixed'])
      .openapi({ description: 'What is committed' }),
    response: z.string().openapi({ description: 'What the client receives' }),
    effect: z.looseObject({ kind: z.string() }),
    parameters: z.record(z.string(), Parameter),
    concludes: z
      .enum(['OK', 'FAIL', 'UNKNOWN', 'READ'])
      .openapi({ description: 'What a client may conclude from it' }),
    retry: z
      .enum(['same-key', 'new-key', 'never', 'after-fix', 'after-wait', 'not-needed'])
      .openapi({ description: 'Which retry is safe' }),
    cause: z.string(),
    correctClient: z.string().openapi({ description: 'What a correct client does' }),
    provenance: z.enum(['seed', 'profile', 'transport', 'generic-http', 'generic', 'sandbox']),
  })
  .openapi('Outcome');

export const OutcomeFilter = z.strictObject({
  operation: z
    .enum([...operationNames, ...operationFamilies])
    .optional()
    .openapi({
      description:
        'Only outcomes that can happen on this operation, or on one of a resource: `card.*`',
      example: 'payment.create',
    }),
  tier: z
    .enum(['1', '2', '3'])
    .transform(Number)
    .optional()
    .openapi({ type: 'string', description: 'Only outcomes of this tier', example: '1' }),
});

/** The verb checks the keys and values, and names every problem. */
export const ForcedRule = z.record(z.string(), z.unknown()).openapi('ForcedRule', {
  example: { op: 'payment.create', outcome: 'reset-after-commit' },
});

const SimpleStep = z.object({ outcome: z.string(), params: Params });

export const RuleReading = z
  .object({
    id: z.string(),
    source: z.enum(['armed', 'shared', 'scenario']).openapi({
      description: 'Armed for this merchant, armed for several merchants, or of the scenario',
    }),
    operations: words,
    match: z.record(z.string(), z.unknown()).optional(),
    per: z.enum(['intent', 'card', 'transaction', 'merchant']).openapi({
      description: 'What `nth` and the steps count by',
    }),
    steps: z
      .array(
        SimpleStep.extend({
          and: SimpleStep.optional(),
          oneOf: z.array(SimpleStep).readonly().optional(),
        }),
      )
      .readonly()
      .openapi({ description: 'One entry for each request; the last one repeats' }),
    nth: z.int().optional(),
    times: z.int().optional().openapi({ description: 'How often it can fire' }),
    probability: z.number().optional(),
    during: z
      .string()
      .optional()
      .openapi({ description: 'The state of the scenario in which it applies' }),
    optional: z.boolean().openapi({ description: 'Whether a verdict passes if it never fires' }),
    merchants: z
      .union([z.literal('all'), z.object({ prefix: z.string() })])
      .optional()
      .openapi({ description: 'The merchants of a rule for several' }),
    state: z.enum(['live', 'waiting', 'expired', 'used-up']).openapi({
      description:
        '`live`: it can fire; `waiting`: its time has not come; `expired`: its time is over; `used-up`: it has fired as often as it can',
    }),
    startsAt: z.string().optional().openapi({
      format: 'date-time',
      description: "When it starts to apply, on the merchant's clock",
    }),
    endsAt: z.string().optional().openapi({
      format: 'date-time',
      description: "When it stops to apply, on the merchant's clock",
    }),
    expiresAt: z.string().optional().openapi({
      format: 'date-time',
      description: 'When it expires, in real time. Absent: it does not expire',
    }),
    seen: z.int().openapi({ description: 'How many requests of its operations arrived' }),
    met: z.int().openapi({ description: 'How many requests matched it' }),
    fired: z.int().openapi({ description: 'How often it fired' }),
    lastMiss: z.string().optional().openapi({
      description: 'Why it did not fire on the last request of its operation',
    }),
  })
  .openapi('Rule');

/** The verb checks the document and names every problem. */
export const ScenarioRequest = z.record(z.string(), z.unknown()).openapi('ScenarioRequest', {
  example: { name: 'lost-answer' },
});

const ScenarioText = z.string().openapi('ScenarioText', {
  description: 'The text of a scenario file.',
  example: [
    'scenario: one-decline',
    'version: 1',
    'about: The first payment is declined.',
    'rules: [{ op: payment.create, nth: 1, then: decline-generic }]',
  ].join('\n'),
});

export const ShippedScenario = z
  .object({ name: z.string().openapi({ example: 'lost-answer' }), about: z.string() })
  .openapi('ShippedScenario');

export const GenerateCardsOptions = z
  .strictObject({
    outcome: z
      .string()
      .optional()
      .openapi({ description: 'Outcome that the numbers trigger. Default: none' }),
    brand: z
      .enum(brands)
      .optional()
      .openapi({ description: 'Numbers that trigger an outcome are visa' }),
    count: z
      .int('must be a whole number from 1 to 1000')
      .min(1, 'must be a whole number from 1 to 1000')
      .max(1000, 'must be a whole number from 1 to 1000')
      .default(1),
  })
  .openapi('GenerateCardsOptions', {
    example: { outcome: 'decline-insufficient-funds', count: 2 },
  });

export const TestCard = z
  .object({
    number: z.string().openapi({ description: 'A valid number, for sandboxes only' }),
    type: z.enum(brands),
  })
  .openapi('TestCard');

const id = z.string();

export const forcingSchemas = verbSchemas({
  outcomes: {
    summary: 'List every outcome',
    tag: 'Outcomes and rules',
    query: OutcomeFilter.shape,
    output: z.array(Outcome).readonly(),
    answer: 'Rows of the catalogue',
  },
  outcome: {
    summary: 'Show one outcome',
    tag: 'Outcomes and rules',
    path: { id: id.openapi({ example: 'decline-insufficient-funds' }) },
    output: Outcome,
    answer: 'Its row of the catalogue',
  },
  force: {
    summary: 'Arm a rule: which outcome happens to which requests',
    description:
      'Has the keys of a rule in a scenario file; `outcome` and `sequence` are shorter forms of `then`. Without `times` it fires once for each entry of its sequence; it expires only if `ttlMs` says so. `nth` and the entries of a sequence count requests of the operation, unless `per` says otherwise. A name that another rule has is refused. With `all=true` or `prefix`, the rule is for all merchants or those with the prefix, present and future. Each of them counts by itself, and a reset arms the rule again.',
    tag: 'Outcomes and rules',
    body: ForcedRule,
    status: 201,
    output: z.array(z.string()).openapi({ example: ['rule-1'] }),
    answer: 'Ids of the armed rules',
  },
  rules: {
    summary: 'List the rules of a merchant, and how often each matched and fired',
    tag: 'Outcomes and rules',
    query: {
      unfired: z
        .enum(['true', 'false'])
        .transform((word) => word === 'true')
        .optional()
        .openapi({
          type: 'string',
          description: 'Only rules that should have fired and never did',
        }),
    },
    output: z.array(RuleReading),
    answer: 'The rules, in the order in which they are checked',
  },
  clearRules: {
    summary: 'Remove armed rules: all of them, or one by its id',
    description:
      'Rules of a scenario stay. With `all=true`, the rules for several merchants are removed; without it they stay.',
    tag: 'Outcomes and rules',
    path: { id: id.openapi({ example: 'rule-1' }) },
    output: z.int().openapi({ description: 'How many rules were removed' }),
    answer: 'How many were removed',
  },
  playScenario: {
    summary: 'Reset a merchant and play a scenario in its world',
    description:
      'A shipped scenario by its name; a whole document; or the text of a scenario file as YAML. A problem in it changes nothing.',
    tag: 'Scenarios',
    body: ScenarioRequest,
    textBodies: { 'text/yaml': ScenarioText, 'application/yaml': ScenarioText },
    output: z.string().openapi({ example: 'lost-answer' }),
    answer: 'Its name',
  },
  scenarios: {
    summary: 'List the scenarios that can be played by name: shipped ones, and those of --home',
    tag: 'Scenarios',
    output: z.array(ShippedScenario),
    answer: 'Their names and purposes',
  },
  generateCards: {
    summary: 'Generate card numbers for tests, each a different one',
    description:
      'A number made for an outcome triggers it whenever its card pays or is refunded: visa `4000 0099 nnns sssL`, where `nnn` is the number of the outcome, `ssss` counts, and `L` is the check digit. Other brands come from published lists, which are short.',
    tag: 'Scenarios',
    body: GenerateCardsOptions,
    output: z.array(TestCard),
    answer: 'The cards',
  },
});
