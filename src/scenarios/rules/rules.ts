/** Converts the rules of a scenario to those of a rule book. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import type { Condition, Match } from '../../outcomes/rules/match.ts';
import type { CounterScope, Rule, RuleStep } from '../../outcomes/rules/rule.ts';
import { findPatternOverload } from '../../outcomes/rules/pattern-limits.ts';
import { timePointMs, type TimePoint } from '../../domain/duration.ts';
import type { LoadedScenario } from '../load.ts';
import { ScenarioError } from '../scenario-error.ts';
import { toPatterns, isPattern, listOperations, resolveOperations } from './operation-words.ts';
import { naturalStep } from '../../outcomes/outcome-id.ts';
import type { ReadRule, ReadSimpleStep, ReadStep } from './rule-schema.ts';

/** What the rules of a scenario need to know about the merchant that plays it. */
export interface RuleContext {
  /** The time on the merchant's clock at which the scenario starts. */
  readonly startMs: number;
  /** The real time at which it starts. */
  readonly realStartMs: number;
  /** Returns the id of a given card. */
  readonly cardIdOf: (named: string) => string;
}

type Params = RuleStep['params'];

const counterScopes = {
  intent: 'intent',
  card: 'card',
  sale: 'transaction',
  merchant: 'merchant',
} as const satisfies Readonly<Record<string, CounterScope>>;

/**
 * Returns the rules of a scenario in their order.
 *
 * @throws {ScenarioError} If a request would be compared with too many regular expressions.
 */
export function buildRules({ document, at: placeOf }: LoadedScenario, stage: RuleContext): Rule[] {
  const rules = (document.rules ?? []).flatMap((rule, at) =>
    buildRule(rule, rule.name ?? `rule ${at + 1}`, stage),
  );
  const overload = findPatternOverload(rules);
  if (overload !== undefined) throw new ScenarioError([`${placeOf(['rules'])}: ${overload}`]);
  return rules;
}

function buildRule(rule: ReadRule, id: string, stage: RuleContext): Rule[] {
  const toMs = (time: TimePoint | undefined) =>
    time === undefined ? undefined : timePointMs(time, stage.startMs);
  const make = (name: string, steps: readonly RuleStep[], decorates: boolean): Rule => ({
    id: name,
    source: 'scenario',
    operations: selectOperations(rule, steps),
    match: rule.match === undefined ? undefined : withCardIds(rule.match, stage),
    per: counterScopes[rule.per ?? 'merchant'],
    steps,
    decorates,
    nth: rule.nth,
    times: rule.times,
    probability: rule.probability,
    expiresAtRealMs: rule.ttlMs === undefined ? undefined : stage.realStartMs + rule.ttlMs,
    fromMs: toMs(rule.after),
    untilMs: toMs(rule.before),
    during: rule.while,
    optional: rule.optional ?? false,
  });
  const steps = toList(rule.then).map((step) => toStep(step, rule.params));
  // Each of these outcomes changes every response, so each becomes a rule of its own.
  const always = (rule.always ?? []).map((step) => toSimpleStep(step, rule.params));
  return [
    ...(steps.length === 0 ? [] : [make(id, steps, false)]),
    ...always.map((step, at) =>
      make(always.length === 1 ? `${id}, always` : `${id}, always ${at + 1}`, [step], true),
    ),
  ];
}

function toStep(step: ReadStep, shared: Params | undefined): RuleStep {
  if (typeof step === 'string' || !('oneOf' in step)) {
    const and = typeof step === 'string' ? undefined : step.and;
    return {
      ...toSimpleStep(step, shared),
      and: and === undefined ? undefined : toSimpleStep(and, shared),
    };
  }
  const oneOf = step.oneOf.map((one) => toSimpleStep(one, shared));
  const [first] = oneOf;
  if (first === undefined) throw new Error('A list to draw from passed the schema without a step.');
  return { ...first, oneOf };
}

function toSimpleStep(step: ReadSimpleStep, shared: Params = {}): RuleStep {
  const { outcome, with: params } = typeof step === 'string' ? { outcome: step, with: {} } : step;
  const parameters = findOutcome(outcome)?.parameters ?? {};
  const fitting = Object.entries(shared).filter(([name]) => Object.hasOwn(parameters, name));
  return { outcome, params: { ...Object.fromEntries(fitting), ...params } };
}

/** Limits patterns to operations that can have every outcome of the rule. Names were checked before. */
function selectOperations(rule: ReadRule, steps: readonly RuleStep[]) {
  const outcomes = steps.flatMap(listOutcomeIds).filter((id) => id !== naturalStep);
  const words = toList(rule.op);
  const names = words.flatMap((word) =>
    resolveOperations(word).filter(
      (name) => !isPattern(word) || outcomes.every((id) => canHappenOn(id, name)),
    ),
  );
  return toPatterns([...new Set(names)]);
}

function listOutcomeIds(step: RuleStep): string[] {
  if (step.oneOf !== undefined) return step.oneOf.flatMap(listOutcomeIds);
  return [step.outcome, ...(step.and === undefined ? [] : listOutcomeIds(step.and))];
}

function canHappenOn(id: string, name: OperationName): boolean {
  const outcome = findOutcome(id);
  return outcome !== undefined && listOperations(outcome).includes(name);
}

/** Replaces the refs of given cards by card ids. */
export function withCardIds(match: Match, { cardIdOf }: RuleContext): Match {
  const card = match['$card'];
  if (card === undefined) return match;
  const idOf = <T>(named: T) => (typeof named === 'string' ? cardIdOf(named) : named);
  const condition: Condition =
    typeof card === 'object'
      ? { ...card, eq: idOf(card.eq), ne: idOf(card.ne), in: card.in?.map(idOf) }
      : idOf(card);
  return { ...match, $card: condition };
}

/** A value, or a list of them, as a list. */
export function toList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  // Array.isArray does not narrow read-only arrays.
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
