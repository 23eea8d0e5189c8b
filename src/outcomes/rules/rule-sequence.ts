/** Which step of a rule a request gets, and the outcomes of that step. */
import type { Catalogue } from '../catalogue.ts';
import { drawOne } from '../decide/chance.ts';
import type { OutcomeChoice } from '../decide/decision.ts';
import { applyParams, readSeriesTimes } from '../decide/params.ts';
import type { Facts } from './facts.ts';
import { includesOperation, type CounterScope, type Rule, type RuleStep } from './rule.ts';

/**
 * The place of a request in what a rule counts.
 *
 * A draw depends on the purchase and its attempt, so that requests for other purchases change no draw.
 */
export interface CountedRequest {
  /** The number of the request among those that the rule counts together, from 1. */
  readonly number: number;
  readonly purchase: string;
  /** The number of the request for its purchase, from 1. */
  readonly attempt: number;
}

/** Whether chance decides if a rule fires or with which outcome. */
export function drawsByChance(catalogue: Catalogue, { probability, steps }: Rule): boolean {
  return probability !== undefined || steps.some((step) => isDrawn(catalogue, step));
}

function isDrawn(catalogue: Catalogue, { outcome, oneOf, and }: RuleStep): boolean {
  if (oneOf !== undefined) return true;
  if (outcome !== 'ok' && catalogue.get(outcome).effect.kind === 'choice') return true;
  return and !== undefined && isDrawn(catalogue, and);
}

/** Returns the key that requests are counted by. */
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

/** Returns the outcomes of a request that its operation can have, or `ok` for natural behaviour. */
export function selectOutcomes(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  counted: CountedRequest,
  facts: Facts,
): readonly OutcomeChoice[] | 'ok' {
  const step = selectStep(catalogue, seed, rule, counted);
  return step === undefined ? 'ok' : listChoices(catalogue, rule, step, facts);
}

/** Returns the step of a request, or `undefined` for natural behaviour. */
function selectStep(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  { number: counted, purchase, attempt }: CountedRequest,
): RuleStep | undefined {
  const drawFrom = <T>(list: readonly T[]) =>
    drawOne(list, seed, rule.id, purchase, attempt, 'choice');
  const number = rule.nth === undefined ? counted : 1;
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
      // A series may be the last step of a longer sequence, so it counts from its own first request.
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
  const by = rule.source === 'shared' ? 'armed' : rule.source;
  const choice: OutcomeChoice = { outcome, params: step.params, by, rule: rule.id };
  const isPossible = outcome.operations.some((pattern) =>
    includesOperation(pattern, facts.operation, facts.writes),
  );
  return [
    ...(isPossible ? [choice] : []),
    ...(step.and === undefined ? [] : listChoices(catalogue, rule, step.and, facts)),
  ];
}
