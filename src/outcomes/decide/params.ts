/** An outcome as it was asked for: the catalogue's row with what the rule gave in place of its defaults. */
import { errorNamed } from '../catalogue/errors.ts';
import { drawChance } from './chance.ts';
import type { OutcomeParams } from '../effects/faults/fault.ts';
import type { Effect, Outcome, Phase } from '../outcome.ts';
import { readDurationMs } from '../duration.ts';

export type ParamValues = Readonly<Record<string, string | number>>;

/** Values as given, read by the types that the catalogue declares. Names were checked when the rule came. */
export function readParams(outcome: Outcome, given: ParamValues, drawnFor: string): OutcomeParams {
  const value = (name: string): string | number => {
    const found = given[name] ?? outcome.parameters[name]?.default;
    if (found === undefined) throw new Error(`${outcome.id} has no parameter ${name}.`);
    return found;
  };
  return {
    ms: (name) => readDurationMs(value(name)) ?? 0,
    count: (name) => Number(value(name)),
    text: (name) => String(value(name)),
    draw: (word) => drawChance(drawnFor, word),
  };
}

/** How many requests a series spends on its first member. */
export function readSeriesTimes(outcome: Outcome, given: ParamValues): number {
  return readParams(outcome, given, '').count('times');
}

/** Whether an outcome has a parameter, given or by default. */
export function hasParameter(outcome: Outcome, name: string): boolean {
  return Object.hasOwn(outcome.parameters, name);
}

/**
 * The row with given parameters in place: one named like a member of the outcome or of its effect (`phase`, `status`,
 * `name`) takes that member's place, `field` that of the first detail, and `error` that of the whole effect.
 */
export function applyParams(outcome: Outcome, given: ParamValues): Outcome {
  const overrides = Object.keys(outcome.parameters).filter(
    (name) => ['phase', 'field', 'error'].includes(name) || name in outcome.effect,
  );
  if (overrides.length === 0) return outcome;
  const params = readParams(outcome, given, '');
  let { effect, phase } = outcome;
  for (const name of overrides) {
    if (name === 'phase') {
      phase = params.text('phase') as Phase; // The catalogue lists the phases this parameter may name.
    } else effect = withMember(effect, name, params);
  }
  return { ...outcome, effect, phase };
}

function withMember(effect: Effect, name: string, params: OutcomeParams): Effect {
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
