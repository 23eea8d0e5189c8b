/** Which entry of a rule an attempt gets, and the outcomes it stands for. */
import type { Catalogue } from '../catalogue.ts';
import { chance } from '../decide/chance.ts';
import type { Chosen } from '../decide/decision.ts';
import type { Facts } from './facts.ts';
import { asGiven, seriesTimes } from '../decide/params.ts';
import { takesIn, type Per, type Rule, type Step } from './rule.ts';

/** An attempt of somebody's: both draw what is drawn. */
interface Attempt {
  readonly attempt: number;
  readonly key: string;
}

/** Whose attempts a rule counts together. */
export function keyOf(per: Per, facts: Facts): string {
  switch (per) {
    case 'intent':
      return facts.intent;
    case 'card':
      return facts.countedCard;
    case 'transaction':
      return facts.transaction ?? '';
    case 'merchant':
      return '';
  }
}

/** What an attempt gets of a rule: outcomes that its operation can have, or `ok` for natural behaviour. */
export function chosenAt(
  catalogue: Catalogue,
  seed: string,
  rule: Rule,
  at: Attempt,
  facts: Facts,
): readonly Chosen[] | 'ok' {
  const step = stepAt(catalogue, seed, rule, at);
  return step === undefined ? 'ok' : chosenBy(catalogue, rule, step, facts);
}

/** The entry of an attempt, the last one repeating; `undefined` for `ok`. */
function stepAt(catalogue: Catalogue, seed: string, rule: Rule, of: Attempt): Step | undefined {
  const at = rule.nth === undefined ? of.attempt : 1;
  const entry = Math.min(at, rule.steps.length);
  const listed = rule.steps[entry - 1];
  const step = listed?.oneOf === undefined ? listed : draw(listed.oneOf, seed, rule, of);
  if (step === undefined || step.outcome === 'ok') return undefined;
  const outcome = catalogue.get(step.outcome);
  const { effect } = outcome;
  switch (effect.kind) {
    case 'choice': {
      const drawn = draw(effect.of, seed, rule, of);
      return { ...step, outcome: drawn ?? step.outcome };
    }
    case 'series': {
      const [first = 'ok'] = effect.of;
      // How often this entry came up: a series may stand last in a longer sequence.
      return at - entry >= seriesTimes(outcome, step.params)
        ? undefined
        : { outcome: first, params: {}, and: step.and };
    }
    default:
      return step;
  }
}

function draw<T>(
  of: readonly T[],
  seed: string,
  rule: Rule,
  { attempt, key }: Attempt,
): T | undefined {
  return of[Math.floor(chance(seed, rule.id, key, attempt, 'choice') * of.length)];
}

/** The outcomes of a step that this operation can have: a rule on every operation may name one of a few. */
function chosenBy(catalogue: Catalogue, rule: Rule, step: Step, facts: Facts): Chosen[] {
  const outcome = asGiven(catalogue.get(step.outcome), step.params);
  const chosen: Chosen = { outcome, params: step.params, by: rule.source, rule: rule.id };
  const possible = outcome.operations.some((pattern) =>
    takesIn(pattern, facts.operation, facts.writes),
  );
  return [
    ...(possible ? [chosen] : []),
    ...(step.and === undefined ? [] : chosenBy(catalogue, rule, step.and, facts)),
  ];
}
