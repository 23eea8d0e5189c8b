/** The same things by what they have in common, in the order they came. */
export function groupedBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

/** Only groups of `least` or more: counted first, as most things have hardly anything in common. */
export function largeGroups<T, K>(
  all: readonly T[],
  least: number,
  keyOf: (one: T) => K,
): Map<K, T[]> {
  const counts = new Map<K, number>();
  let isAny = false;
  for (const one of all) {
    const key = keyOf(one);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    isAny ||= count >= least;
  }
  if (!isAny) return new Map();
  return groupedBy(
    all.filter((one) => (counts.get(keyOf(one)) ?? 0) >= least),
    keyOf,
  );
}
