/** Which step of a rule an attempt gets, and the outcomes of that step. */
import type { Catalogue } from '../catalogue.ts';
import { drawOne } from '../decide/chance.ts';
import type { OutcomeChoice } from '../decide/decision.ts';
import { applyParams, readSeriesTimes } from '../decide/params.ts';
import type { Facts } from './facts.ts';
import { includesOperation, type CounterScope, type Rule, type RuleStep } from './rule.ts';

/** An attempt by its number and the key that the rule counts it by. Random draws depend on both. */
interface Attempt {
  readonly attempt: number;
  readonly key: string;
}

/** Returns the key that attempts are counted by. */
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

/** Returns the outcomes of an attempt that its operation can have, or `ok` for natural behaviour. */
export function selectOutcomes(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  attempt: Attempt,
  facts: Facts,
): readonly OutcomeChoice[] | 'ok' {
  const step = selectStep(catalogue, seed, rule, attempt);
  return step === undefined ? 'ok' : listChoices(catalogue, rule, step, facts);
}

/** Returns the step of an attempt, or `undefined` for natural behaviour. */
function selectStep(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  { attempt, key }: Attempt,
): RuleStep | undefined {
  const drawFrom = <T>(list: readonly T[]) => drawOne(list, seed, rule.id, key, attempt, 'choice');
  const number = rule.nth === undefined ? attempt : 1;
  const entry = Math.min(number, rule.steps.length);
  const listed = rule.steps[entry - 1];
  const step = listed?.oneOf === undefined ? listed : drawFrom(listed.oneOf);
  if (step === undefined || step.outcome === 'ok') return undefined;
  const outcome = catalogue.get(step.outcome);
  const { effect } = outcome;
  switch (effect.kind) {
    case 'choice':
      return { ...step, outcome: drawFrom(effect.of) ?? step.outcome };
    case 'series': {
      const [first = 'ok'] = effect.of;
      // A series may be the last step of a longer sequence, so it counts from its own first attempt.
      return number - entry >= readSeriesTimes(outcome, step.params)
        ? undefined
        : { outcome: first, params: {}, and: step.and };
    }
    default:
      return step;
  }
}

/** Lists the outcomes of a step that the operation can have. A rule for every operation may name an outcome of a few. */
function listChoices(
  catalogue: Catalogue,
  rule: Rule,
  step: RuleStep,
  facts: Facts,
): OutcomeChoice[] {
  const outcome = applyParams(catalogue.get(step.outcome), step.params);
  const choice: OutcomeChoice = { outcome, params: step.params, by: rule.source, rule: rule.id };
  const isPossible = outcome.operations.some((pattern) =>
    includesOperation(pattern, facts.operation, facts.writes),
  );
  return [
    ...(isPossible ? [choice] : []),
    ...(step.and === undefined ? [] : listChoices(catalogue, rule, step.and, facts)),
  ];
}
