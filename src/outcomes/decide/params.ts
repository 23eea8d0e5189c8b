/** Parameters of an outcome: the values that a rule or header gives, and the defaults of the catalogue. */
import { errorNamed } from '../catalogue/errors.ts';
import { readDurationMs } from '../../domain/duration.ts';
import type { Effect, Outcome, Phase } from '../outcome.ts';
import { drawChance } from './chance.ts';

export type ParamValues = Readonly<Record<string, string | number>>;

/** Reads the parameters of an outcome by name. Defaults are filled in. */
export interface OutcomeParams {
  ms(name: string): number;
  count(name: string): number;
  text(name: string): string;
  /** A draw in [0, 1) that is the same for the same attempt and word. */
  draw(word: string): number;
}

/** Reads values by the types that the catalogue declares. The names were checked when the rule was read. */
export function readParams(
  outcome: Outcome,
  values: ParamValues,
  attemptId: string,
): OutcomeParams {
  const valueOf = (name: string): string | number => {
    const value = values[name] ?? outcome.parameters[name]?.default;
    if (value === undefined) throw new Error(`${outcome.id} has no parameter ${name}.`);
    return value;
  };
  return {
    ms: (name) => readDurationMs(valueOf(name)) ?? 0,
    count: (name) => Number(valueOf(name)),
    text: (name) => String(valueOf(name)),
    draw: (word) => drawChance(attemptId, word),
  };
}

/** Returns how many requests of a series get its first outcome. */
export function readSeriesTimes(outcome: Outcome, values: ParamValues): number {
  return readParams(outcome, values, '').count('times');
}

export function hasParameter(outcome: Outcome, name: string): boolean {
  return Object.hasOwn(outcome.parameters, name);
}

/**
 * Returns the outcome with the given values in place.
 *
 * A parameter that is named like a member of the outcome or of its effect (`phase`, `status`, `name`) sets that member.
 * `field` sets the field of the first detail, and `error` sets the whole effect.
 */
export function applyParams(outcome: Outcome, values: ParamValues): Outcome {
  const names = Object.keys(outcome.parameters).filter(
    (name) => ['phase', 'field', 'error'].includes(name) || name in outcome.effect,
  );
  if (names.length === 0) return outcome;
  const params = readParams(outcome, values, '');
  let { effect, phase } = outcome;
  for (const name of names) {
    if (name === 'phase') {
      phase = params.text('phase') as Phase; // The catalogue lists the phases that this parameter may name.
    } else effect = setMember(effect, name, params);
  }
  return { ...outcome, effect, phase };
}

function setMember(effect: Effect, name: string, params: OutcomeParams): Effect {
  if (name === 'error') return errorNamed(params.text('error')) ?? effect;
  if (name === 'field') {
    if (effect.kind !== 'error' || effect.details === undefined) return effect;
    const [first, ...rest] = effect.details;
    return first === undefined
      ? effect
      : { ...effect, details: [{ ...first, field: params.text('field') }, ...rest] };
  }
  const value = name === 'status' ? params.count(name) : params.text(name);
  return { ...effect, [name]: value };
}
