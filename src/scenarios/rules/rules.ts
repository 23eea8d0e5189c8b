/** From a scenario as it was read to what a merchant's rule book takes. */
import type { OperationName } from '../../contract/service/operations.ts';
import { outcomeById } from '../../outcomes/catalogue.ts';
import type { Condition, Match } from '../../outcomes/rules/match.ts';
import type { Per, Rule, Step } from '../../outcomes/rules/rule.ts';
import { timePointMs, type TimePoint } from '../../documents/duration.ts';
import type { LoadedScenario } from '../load.ts';
import { asPatterns, isPattern, operationsFor, operationsOf } from './operation-words.ts';
import { naturalStep } from '../../outcomes/outcome-id.ts';
import type { ReadRule, ReadSimpleStep, ReadStep } from '../schema.ts';

/** What a scenario's rules depend on where it is played. */
export interface Stage {
  /** The merchant's time at which the scenario begins. */
  readonly startMs: number;
  /** The machine's time at which it begins. */
  readonly realStartMs: number;
  /** The id of a given card in the vault. */
  readonly cardIdOf: (named: string) => string;
}

type Params = Step['params'];

const perWords = {
  intent: 'intent',
  card: 'card',
  sale: 'transaction',
  merchant: 'merchant',
} as const satisfies Readonly<Record<string, Per>>;

/** The rules of a scenario, in the order in which they are asked. */
export function toRules({ document }: LoadedScenario, stage: Stage): Rule[] {
  return (document.rules ?? []).flatMap((rule, at) =>
    rulesOf(rule, rule.name ?? `rule ${at + 1}`, stage),
  );
}

function rulesOf(rule: ReadRule, id: string, stage: Stage): Rule[] {
  const ms = (moment: TimePoint | undefined) =>
    moment === undefined ? undefined : timePointMs(moment, stage.startMs);
  const make = (name: string, steps: readonly Step[], decorates: boolean): Rule => ({
    id: name,
    source: 'scenario',
    operations: operationsWith(rule, steps),
    match: rule.match === undefined ? undefined : withCardIds(rule.match, stage),
    per: perWords[rule.per ?? 'intent'],
    steps,
    decorates,
    nth: rule.nth,
    times: rule.times,
    probability: rule.probability,
    expiresAtRealMs: rule.ttl === undefined ? undefined : stage.realStartMs + rule.ttl,
    fromMs: ms(rule.after),
    untilMs: ms(rule.before),
    during: rule.while,
    optional: rule.optional ?? false,
  });
  const steps = listed(rule.then).map((step) => toStep(step, rule.params));
  // Each of these writes an answer in its own way at every attempt, so each is a rule of its own.
  const always = (rule.always ?? []).map((step) => toSimpleStep(step, rule.params));
  return [
    ...(steps.length === 0 ? [] : [make(id, steps, false)]),
    ...always.map((step, at) =>
      make(always.length === 1 ? `${id}, always` : `${id}, always ${at + 1}`, [step], true),
    ),
  ];
}

function toStep(step: ReadStep, shared: Params | undefined): Step {
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

function toSimpleStep(step: ReadSimpleStep, shared: Params = {}): Step {
  const { outcome, with: params } = typeof step === 'string' ? { outcome: step, with: {} } : step;
  const taken = outcomeById(outcome)?.parameters ?? {};
  const fitting = Object.entries(shared).filter(([name]) => Object.hasOwn(taken, name));
  return { outcome, params: { ...Object.fromEntries(fitting), ...params } };
}

/** A pattern takes in those of its operations on which every outcome can happen; a name was checked. */
function operationsWith(rule: ReadRule, steps: readonly Step[]) {
  const outcomes = steps.flatMap(idsOf).filter((id) => id !== naturalStep);
  const words = listed(rule.op);
  const names = words.flatMap((word) =>
    operationsOf(word).filter((name) => !isPattern(word) || outcomes.every((id) => can(id, name))),
  );
  return asPatterns([...new Set(names)]);
}

function idsOf(step: Step): string[] {
  if (step.oneOf !== undefined) return step.oneOf.flatMap(idsOf);
  return [step.outcome, ...(step.and === undefined ? [] : idsOf(step.and))];
}

function can(id: string, name: OperationName): boolean {
  const outcome = outcomeById(id);
  return outcome !== undefined && operationsFor(outcome).includes(name);
}

/** What scenarios call a card is known only to them. */
function withCardIds(match: Match, { cardIdOf }: Stage): Match {
  const card = match['$card'];
  if (card === undefined) return match;
  const idOf = <T>(named: T) => (typeof named === 'string' ? cardIdOf(named) : named);
  const condition: Condition =
    typeof card === 'object'
      ? { ...card, eq: idOf(card.eq), ne: idOf(card.ne), in: card.in?.map(idOf) }
      : idOf(card);
  return { ...match, $card: condition };
}

function listed<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  // The narrowing of Array.isArray loses read-only lists.
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
