/** The same things by what they have in common, in the order they came. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

/** Only groups of `least`, two or more. Most things have nothing in common: a first look finds those that have. */
export function groupRepeats<T, K>(
  all: readonly T[],
  least: number,
  keyOf: (one: T) => K,
): Map<K, T[]> {
  const seen = new Set<K>();
  const again = new Set<K>();
  for (const one of all) {
    const key = keyOf(one);
    const { size } = seen;
    if (seen.add(key).size === size) again.add(key);
  }
  const groups = new Map<K, T[]>();
  if (again.size === 0) return groups;
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group !== undefined) group.push(one);
    else if (again.has(key)) groups.set(key, [one]);
  }
  return least <= 2 ? groups : new Map([...groups].filter(([, { length }]) => length >= least));
}
