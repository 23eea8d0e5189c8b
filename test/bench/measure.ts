/** What a part of the benchmark finds, and whether that is good enough. */
import { median, pairRatios } from './statistics.ts';

/** What must hold for the median: of the ratios where something stands beside, else of our own figures. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Measure {
  readonly part: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly number[];
  /** The same of whatever we are held against. */
  readonly beside: readonly number[];
  readonly besideIs: string | undefined;
  /** Ours over beside, pair by pair. */
  readonly ratios: readonly number[];
  readonly target: Target | undefined;
}

/** What is measured, and where it should lie. */
export type Named = Pick<Measure, 'part' | 'name' | 'unit'> & { readonly target?: Target };

/** Figures of our own. */
export function alone(named: Named, ours: readonly number[]): Measure {
  return { target: undefined, ...named, ours, beside: [], besideIs: undefined, ratios: [] };
}

/** Figures of our own, which alone have a target, and those of something else to see them by. */
export function inViewOf(
  named: Named,
  ours: readonly number[],
  besideIs: string,
  beside: readonly number[],
): Measure {
  return { ...alone(named, ours), beside, besideIs };
}

/** Figures taken in pairs with those of something else. */
export function paired(
  named: Named,
  ours: readonly number[],
  besideIs: string,
  beside: readonly number[],
): Measure {
  const ratios = pairRatios(ours, beside);
  return { target: undefined, ...named, ours, beside, besideIs, ratios };
}

/** What a target is held against. */
export function valueOf({ ratios, ours }: Measure): number {
  return median(ratios.length > 0 ? ratios : ours);
}

/** Whether the target is met; `undefined` where there is none. */
export function isMet(measure: Measure): boolean | undefined {
  return isWithin(valueOf(measure), measure.target);
}

/** Whether a value meets a target; `undefined` where there is none. */
export function isWithin(value: number, target: Target | undefined): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
