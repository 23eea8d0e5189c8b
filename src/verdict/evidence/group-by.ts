/** Groups items by a key, in the order of their first items. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Groups items by a key and keeps only groups of `least` items or more, where `least` is at least two.
 *
 * Most items share their key with no other, so a first pass finds the keys that repeat.
 */
export function groupRepeats<T, K>(
  items: readonly T[],
  least: number,
  keyOf: (item: T) => K,
): Map<K, T[]> {
  const seen = new Set<K>();
  const repeated = new Set<K>();
  for (const item of items) {
    const key = keyOf(item);
    const { size } = seen;
    if (seen.add(key).size === size) repeated.add(key);
  }
  const groups = new Map<K, T[]>();
  if (repeated.size === 0) return groups;
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group !== undefined) group.push(item);
    else if (repeated.has(key)) groups.set(key, [item]);
  }
  return least <= 2 ? groups : new Map([...groups].filter(([, { length }]) => length >= least));
}
