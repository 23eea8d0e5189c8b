/** The arithmetic of measuring: medians, spreads, ratios pair by pair. */

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) throw new Error('Nothing was measured, so there is no median.');
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}

/** The exact percentile: all values are sorted. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('Nothing was measured, so there is no percentile.');
  return value;
}

export function spreadOf(values: readonly number[]): Spread {
  return { min: Math.min(...values), median: median(values), max: Math.max(...values) };
}

/** The ratio of the two sides in each pair, which were measured at nearly the same time. */
export function pairRatios(ours: readonly number[], beside: readonly number[]): number[] {
  if (ours.length !== beside.length) {
    throw new Error(`${ours.length} measurements cannot be paired with ${beside.length}.`);
  }
  return ours.map((value, at) => value / (beside[at] ?? Number.NaN));
}

/** Alternates which side goes first, so that a machine that slows down favours neither: A B, B A, A B … */
export function inTurn<T>(pair: readonly [T, T], round: number): readonly [T, T] {
  return round % 2 === 0 ? pair : [pair[1], pair[0]];
}
