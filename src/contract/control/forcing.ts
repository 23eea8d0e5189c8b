/** The control calls that make things happen: outcomes, armed rules, scenarios, card numbers for tests. */
import { z } from '@hono/zod-openapi';
import { brands } from '../../domain/card/brand.ts';
import { declare, ofMerchant, ofNothing, refusals } from './declare.ts';
import { answer, jsonBody } from '../service/declare.ts';
import { operationNames } from '../service/operations.ts';

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
  most: z.string().optional().openapi({ description: 'The longest that a span of time may be' }),
  about: z.string(),
});

const words = z.array(z.string()).readonly();

export const Outcome = z
  .object({
    id: z.string(),
    tier: z.union([z.literal(1), z.literal(2), z.literal(3)]).openapi({
      description: '1 is what every integration meets, 3 is rare',
    }),
    group: z.string(),
    operations: words.openapi({ description: 'On which it can happen' }),
    needs: z.enum(['sale', 'stored-card', 'body']).optional().openapi({
      description:
        'What a request must have for it to happen: a payment a sale of its own (intent sale), or a card of the vault; any request an answer with a body, which HEAD has not',
    }),
    triggers: words.openapi({ description: 'How it can be asked for' }),
    cards: words.optional().openapi({ description: 'Card numbers that ask for it, when stored' }),
    names: words
      .optional()
      .openapi({ description: 'First names that ask for it, beside `SBX-<id>`' }),
    cents: words.optional().openapi({
      description: 'Last two digits of a total that ask for it, where magic amounts are on',
    }),
    phase: z
      .enum(['natural', 'before-read', 'before-commit', 'after-commit', 'answer', 'later'])
      .openapi({ description: 'When it steps in' }),
    commit: z
      .enum(['never', 'committed', 'as-normal', 'twice', 'deferred', 'replay', 'mixed'])
      .openapi({ description: 'What the ledger holds afterwards' }),
    wire: z.string().openapi({ description: 'What comes over the wire' }),
    effect: z.looseObject({ kind: z.string() }),
    parameters: z.record(z.string(), Parameter),
    concludes: z
      .enum(['OK', 'FAIL', 'UNKNOWN', 'READ'])
      .openapi({ description: 'What a client may conclude from it' }),
    retry: z
      .enum(['same-key', 'new-key', 'never', 'after-fix', 'after-wait', 'not-needed'])
      .openapi({ description: 'What is safe to do next' }),
    cause: z.string(),
    correctClient: z.string().openapi({ description: 'What a client does that is right' }),
    provenance: z.enum(['seed', 'profile', 'transport', 'generic-http', 'generic', 'sandbox']),
  })
  .openapi('Outcome');

export const OutcomeFilter = z.strictObject({
  operation: z.enum(operationNames).optional().openapi({
    description: 'Only outcomes that can happen on this operation',
    example: 'payment.create',
  }),
  tier: z
    .enum(['1', '2', '3'])
    .transform(Number)
    .optional()
    .openapi({ type: 'string', description: 'Only outcomes of this tier', example: '1' }),
});

/** Held to what a rule may say by the verb, which names every mistake and the nearest word. */
export const ForcedRule = z.record(z.string(), z.unknown()).openapi('ForcedRule', {
  example: { op: 'payment.create', outcome: 'reset-after-commit' },
});

export const Armed = z
  .object({ ids: z.array(z.string()).openapi({ example: ['rule-1'] }) })
  .openapi('Armed');

export const Disarmed = z
  .object({ disarmed: z.int().openapi({ description: 'How many were taken away' }) })
  .openapi('Disarmed');

const SimpleStep = z.object({ outcome: z.string(), params: Params });

export const RuleReading = z
  .object({
    id: z.string(),
    source: z.enum(['armed', 'scenario']),
    operations: words,
    match: z.record(z.string(), z.unknown()).optional(),
    per: z.enum(['intent', 'card', 'transaction', 'merchant']).openapi({
      description: 'Whose attempts are counted together',
    }),
    steps: z
      .array(
        SimpleStep.extend({
          and: SimpleStep.optional(),
          oneOf: z.array(SimpleStep).readonly().optional(),
        }),
      )
      .readonly()
      .openapi({ description: 'One entry an attempt; the last one repeats' }),
    nth: z.int().optional(),
    times: z.int().optional().openapi({ description: 'How often it may fire in all' }),
    probability: z.number().optional(),
    during: z.string().optional().openapi({ description: 'The state of the scenario it is for' }),
    optional: z.boolean().openapi({ description: 'Whether never firing is no mistake' }),
    met: z.int().openapi({ description: 'How many requests fitted it' }),
    fired: z.int().openapi({ description: 'How many of them it was forced on' }),
    lastMiss: z.string().optional().openapi({
      description: 'Why the last request of its operation did not fire it',
    }),
  })
  .openapi('Rule');

/** A document is held to its schema by the verb, as a rule is. */
export const ScenarioRequest = z.record(z.string(), z.unknown()).openapi('ScenarioRequest', {
  example: { name: 'lost-answer' },
});

const ScenarioText = z.string().openapi('ScenarioText', {
  description: 'A scenario file, as it is.',
  example: [
    'scenario: one-decline',
    'version: 1',
    'about: The first payment is declined.',
    'rules: [{ op: payment.create, nth: 1, then: decline-generic }]',
  ].join('\n'),
});

export const Played = z
  .object({ scenario: z.string().openapi({ example: 'lost-answer' }) })
  .openapi('Played');

export const ShippedScenario = z
  .object({ name: z.string().openapi({ example: 'lost-answer' }), about: z.string() })
  .openapi('ShippedScenario');

export const CardOrder = z
  .strictObject({
    outcome: z
      .string()
      .optional()
      .openapi({ description: 'What the numbers ask for; without it they ask for nothing' }),
    brand: z
      .enum(brands)
      .optional()
      .openapi({ description: 'Numbers that ask for an outcome are visa' }),
    count: z
      .int('must be a whole number from 1 to 1000')
      .min(1, 'must be a whole number from 1 to 1000')
      .max(1000, 'must be a whole number from 1 to 1000')
      .default(1),
  })
  .openapi('CardOrder', { example: { outcome: 'decline-insufficient-funds', count: 2 } });

export const TestCard = z
  .object({
    number: z.string().openapi({ description: 'A valid number, for sandboxes only' }),
    type: z.enum(brands),
  })
  .openapi('TestCard');

const ofOutcome = z.object({ id: z.string().openapi({ example: 'decline-insufficient-funds' }) });
const ofRule = z.object({ id: z.string().openapi({ example: 'rule-1' }) });

export const forcingRoutes = {
  outcomes: declare({
    operationId: 'outcomes',
    method: 'get',
    path: '/_sandbox/outcomes',
    summary: 'List every outcome that there is',
    tags: ['Outcomes and rules'],
    request: { query: OutcomeFilter },
    responses: { 200: answer('Rows of the catalogue', z.array(Outcome)), ...refusals() },
  }),
  outcome: declare({
    operationId: 'outcome',
    method: 'get',
    path: '/_sandbox/outcomes/{id}',
    summary: 'Show one outcome',
    tags: ['Outcomes and rules'],
    request: { params: ofOutcome, query: ofNothing },
    responses: { 200: answer('Its row of the catalogue', Outcome), ...refusals(404) },
  }),
  force: declare({
    operationId: 'force',
    method: 'post',
    path: '/_sandbox/rules',
    summary: 'Arm a rule: which outcome happens to which requests',
    description:
      'The words of a rule in a scenario file; `outcome` and `sequence` are shorter ones for `then`. Without `times` it fires once for each entry of its sequence; without `ttl` it is gone after a minute. A name that another rule has is refused.',
    tags: ['Outcomes and rules'],
    request: { query: ofMerchant, body: jsonBody(ForcedRule) },
    responses: { 201: answer('Ids of what was armed', Armed), ...refusals(413, 415) },
  }),
  rules: declare({
    operationId: 'rules',
    method: 'get',
    path: '/_sandbox/rules',
    summary: 'List the rules of a merchant, and how often each was met and fired',
    tags: ['Outcomes and rules'],
    request: {
      query: ofMerchant.extend({
        unfired: z
          .enum(['true', 'false'])
          .optional()
          .openapi({ description: 'Only those that should have fired and never did' }),
      }),
    },
    responses: { 200: answer('In the order they are asked', z.array(RuleReading)), ...refusals() },
  }),
  disarmAll: declare({
    operationId: 'disarm.all',
    method: 'delete',
    path: '/_sandbox/rules',
    summary: 'Take away every rule that was armed',
    description: 'Rules of a scenario stay.',
    tags: ['Outcomes and rules'],
    request: { query: ofMerchant },
    responses: { 200: answer('How many that were', Disarmed), ...refusals(413) },
  }),
  disarm: declare({
    operationId: 'disarm',
    method: 'delete',
    path: '/_sandbox/rules/{id}',
    summary: 'Take away one rule that was armed',
    tags: ['Outcomes and rules'],
    request: { params: ofRule, query: ofMerchant },
    responses: { 200: answer('1, or 0 where it was gone already', Disarmed), ...refusals(413) },
  }),
  playScenario: declare({
    operationId: 'scenario',
    method: 'post',
    path: '/_sandbox/scenario',
    summary: 'Begin a merchant anew and play a scenario in its world',
    description:
      'One that ships, by its name; a whole document; or the text of a scenario file as YAML. A mistake changes nothing.',
    tags: ['Scenarios'],
    request: {
      query: ofMerchant,
      body: {
        required: true,
        content: {
          'application/json': { schema: ScenarioRequest },
          'text/yaml': { schema: ScenarioText },
          'application/yaml': { schema: ScenarioText },
        },
      },
    },
    responses: { 200: answer('Its name', Played), ...refusals(413, 415) },
  }),
  scenarios: declare({
    operationId: 'scenarios',
    method: 'get',
    path: '/_sandbox/scenarios',
    summary: 'List the scenarios that are known by name: those that ship, and those of --home',
    tags: ['Scenarios'],
    request: { query: ofNothing },
    responses: { 200: answer('Their names and what for', z.array(ShippedScenario)), ...refusals() },
  }),
  generateCards: declare({
    operationId: 'cards.generate',
    method: 'post',
    path: '/_sandbox/cards/generate',
    summary: 'Make card numbers for tests, each another one',
    description:
      'A number made for an outcome asks for it whenever its card pays or is refunded: visa `4000 0099 nnns sssL`, where `nnn` is the number of the outcome, `ssss` counts, and `L` is the check digit. Other brands come from published lists, which are short.',
    tags: ['Scenarios'],
    request: { query: ofMerchant, body: jsonBody(CardOrder) },
    responses: { 200: answer('The cards', z.array(TestCard)), ...refusals(413, 415) },
  }),
};
