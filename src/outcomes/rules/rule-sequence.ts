/** Which entry of a rule an attempt gets, and the outcomes it stands for. */
import type { Catalogue } from '../catalogue.ts';
import { drawChance } from '../decide/chance.ts';
import type { OutcomeChoice } from '../decide/decision.ts';
import type { Facts } from './facts.ts';
import { applyParams, readSeriesTimes } from '../decide/params.ts';
import { includesOperation, type CounterScope, type Rule, type RuleStep } from './rule.ts';

/** An attempt of somebody's: both draw what is drawn. */
interface Attempt {
  readonly attempt: number;
  readonly key: string;
}

/** Whose attempts a rule counts together. */
export function findCounterKey(per: CounterScope, facts: Facts): string {
  switch (per) {
    case 'intent':
      return facts.intent;
    case 'card':
      return facts.cardKey;
    case 'transaction':
      return facts.transaction ?? '';
    case 'merchant':
      return '';
  }
}

/** What an attempt gets of a rule: outcomes that its operation can have, or `ok` for natural behaviour. */
export function selectOutcomes(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  at: Attempt,
  facts: Facts,
): readonly OutcomeChoice[] | 'ok' {
  const step = selectStep(catalogue, seed, rule, at);
  return step === undefined ? 'ok' : listChoices(catalogue, rule, step, facts);
}

/** The entry of an attempt, the last one repeating; `undefined` for `ok`. */
function selectStep(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  of: Attempt,
): RuleStep | undefined {
  const at = rule.nth === undefined ? of.attempt : 1;
  const entry = Math.min(at, rule.steps.length);
  const listed = rule.steps[entry - 1];
  const step = listed?.oneOf === undefined ? listed : drawOne(listed.oneOf, seed, rule, of);
  if (step === undefined || step.outcome === 'ok') return undefined;
  const outcome = catalogue.get(step.outcome);
  const { effect } = outcome;
  switch (effect.kind) {
    case 'choice': {
      const drawn = drawOne(effect.of, seed, rule, of);
      return { ...step, outcome: drawn ?? step.outcome };
    }
    case 'series': {
      const [first = 'ok'] = effect.of;
      // How often this entry came up: a series may stand last in a longer sequence.
      return at - entry >= readSeriesTimes(outcome, step.params)
        ? undefined
        : { outcome: first, params: {}, and: step.and };
    }
    default:
      return step;
  }
}

function drawOne<T>(
  of: readonly T[],
  seed: string,
  rule: Rule,
  { attempt, key }: Attempt,
): T | undefined {
  return of[Math.floor(drawChance(seed, rule.id, key, attempt, 'choice') * of.length)];
}

/** The outcomes of a step that this operation can have: a rule on every operation may name one of a few. */
function listChoices(
  catalogue: Catalogue,
  rule: Rule,
  step: RuleStep,
  facts: Facts,
): OutcomeChoice[] {
  const outcome = applyParams(catalogue.get(step.outcome), step.params);
  const chosen: OutcomeChoice = { outcome, params: step.params, by: rule.source, rule: rule.id };
  const possible = outcome.operations.some((pattern) =>
    includesOperation(pattern, facts.operation, facts.writes),
  );
  return [
    ...(possible ? [chosen] : []),
    ...(step.and === undefined ? [] : listChoices(catalogue, rule, step.and, facts)),
  ];
}
