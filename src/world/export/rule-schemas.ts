/** Schemas of the rules and future events in an export. */
import { z } from '@hono/zod-openapi';
import { boundedList } from '../../documents/bounded-list.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import { operationNames } from '../../contract/service/operations.ts';
import type { ScheduledEvent, RecordEvent } from '../../domain/payment/overrides.ts';
import { outcomeIds } from '../../outcomes/catalogue.ts';
import type { MissKind } from '../../outcomes/decide/decision-builder.ts';
import type { RuleState, RuleBookState } from '../../outcomes/rules/rule-book-state.ts';
import type { CounterScope, Rule, RuleSource, RuleStep } from '../../outcomes/rules/rule.ts';
import { naturalStep } from '../../outcomes/outcome-id.ts';
import {
  isOneLine,
  oneLineMessage,
  scenarioRuleSchemas,
} from '../../scenarios/rules/rule-schema.ts';
import type {
  IneffectiveEvent,
  SaleChoice,
  SaleMatch,
  TimelineEntry,
} from '../../scenarios/timeline.ts';
import { count, counter, objectSchema, id, instant, text, enumSchema } from './schema-helpers.ts';

/** The schemas of a rule book, of scheduled events, and of a timeline. */
export const ruleSchemas = onFirstUse(() => {
  const params = z.record(z.string(), z.union([z.string(), z.number()]));

  const simpleStepShape = { outcome: z.enum([naturalStep, ...outcomeIds]), params };
  const simpleStep = z.strictObject(simpleStepShape);

  const step = objectSchema<RuleStep>({
    ...simpleStepShape,
    and: simpleStep.optional(),
    oneOf: boundedList(z.array(simpleStep)).optional(),
  });

  const ordinal = z.int().min(1);

  const rule = objectSchema<Omit<Rule, 'expiresAtRealMs'>>({
    id: id.refine(isOneLine, oneLineMessage),
    source: enumSchema<RuleSource>({ armed: true, shared: true, scenario: true }),
    operations: boundedList(
      z.array(z.enum([...operationNames, 'card.*', 'payment.*', 'any-write', 'any'] as const)),
    ),
    match: scenarioRuleSchemas().rule.shape.match,
    per: enumSchema<CounterScope>({ intent: true, card: true, transaction: true, merchant: true }),
    steps: boundedList(z.array(step).min(1)),
    decorates: z.boolean(),
    nth: ordinal.optional(),
    times: ordinal.optional(),
    probability: z.number().min(0).max(1).optional(),
    fromMs: instant.optional(),
    untilMs: instant.optional(),
    during: text,
    optional: z.boolean(),
  });

  const missKind = enumSchema<MissKind>({
    inactive: true,
    match: true,
    attempt: true,
    blocked: true,
  });

  const ruleBookForm = objectSchema<RuleBookState>({
    rules: boundedList(
      z.array(
        objectSchema<RuleState>({
          rule,
          leftMs: z.number().min(0).optional(),
          seen: count.optional(),
          met: count,
          fired: count,
          blocked: count.optional(),
          lastMiss: text,
          missKind: missKind.optional(),
          attempts: boundedList(z.array(z.tuple([z.string(), count]))),
          purchases: boundedList(z.array(z.tuple([z.string(), count]))).optional(),
        }),
      ),
    ),
    named: counter,
    scenarioState: text,
  });

  const dueForm = objectSchema<ScheduledEvent>({
    atMs: instant,
    event: objectSchema<RecordEvent>({
      kind: enumSchema<RecordEvent['kind']>({
        'sale-completes': true,
        'sale-is-denied': true,
        'sale-is-reversed': true,
        'sale-is-made': true,
        'hold-is-released': true,
        'chargeback-opens': true,
        'chargeback-is-won': true,
        'chargeback-is-lost': true,
        'refund-completes': true,
        'refund-fails': true,
        'card-is-updated': true,
        'card-is-replaced': true,
        'card-is-closed': true,
      }),
      subject: id,
      triggeredOutcome: z.enum(outcomeIds).optional(),
    }),
  });

  type GotoEntry = Extract<TimelineEntry, { readonly goto: string }>;
  type EventEntry = Exclude<TimelineEntry, GotoEntry>;

  const timelineForm: z.ZodType<TimelineEntry> = z.union([
    objectSchema<GotoEntry>({ atMs: instant, goto: z.string() }),
    objectSchema<EventEntry>({
      atMs: instant,
      event: z.enum(outcomeIds),
      sale: z.union([
        enumSchema<Extract<SaleChoice, string>>({ first: true, last: true, every: true }),
        objectSchema<SaleMatch>({
          purchase: text,
          requestId: text,
          id: text,
          nth: ordinal.optional(),
        }),
      ]),
      card: text,
      params,
      place: z.string(),
      optional: z.boolean(),
    }),
  ]);

  const missedForm = objectSchema<IneffectiveEvent>({
    place: z.string(),
    event: z.enum(outcomeIds),
    why: z.string(),
  });

  return { ruleBook: ruleBookForm, due: dueForm, timeline: timelineForm, missed: missedForm };
});
