/** A measurement of the benchmark, and whether it meets its target. */
import { median, pairRatios } from './statistics.ts';

/** The bound for the median of the ratios, or of our own figures if there is no other side. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Measure {
  readonly part: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly number[];
  /** The figures of the other side. */
  readonly beside: readonly number[];
  readonly besideIs: string | undefined;
  /** Our figure divided by the other one, for each pair. */
  readonly ratios: readonly number[];
  readonly target: Target | undefined;
}

/** The name of a measurement, and its target. */
export type Named = Pick<Measure, 'part' | 'name' | 'unit'> & { readonly target?: Target };

/** A measurement without another side. */
export function alone(named: Named, ours: readonly number[]): Measure {
  return { target: undefined, ...named, ours, beside: [], besideIs: undefined, ratios: [] };
}

/** A measurement whose target applies to our figures, with those of another side for comparison. */
export function inViewOf(
  named: Named,
  ours: readonly number[],
  besideIs: string,
  beside: readonly number[],
): Measure {
  return { ...alone(named, ours), beside, besideIs };
}

/** A measurement in pairs with another side. */
export function paired(
  named: Named,
  ours: readonly number[],
  besideIs: string,
  beside: readonly number[],
): Measure {
  const ratios = pairRatios(ours, beside);
  return { target: undefined, ...named, ours, beside, besideIs, ratios };
}

/** The value that is compared with the target. */
export function valueOf({ ratios, ours }: Measure): number {
  return median(ratios.length > 0 ? ratios : ours);
}

/** Whether the target is met; `undefined` without a target. */
export function isMet(measure: Measure): boolean | undefined {
  return isWithin(valueOf(measure), measure.target);
}

/** Whether a value meets a target; `undefined` without a target. */
export function isWithin(value: number, target: Target | undefined): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
