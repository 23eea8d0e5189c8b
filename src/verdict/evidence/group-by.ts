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

/** The items that pass a test, in order. Mostly all of them do, and the list itself is returned. */
export function keepWhere<T>(items: readonly T[], passes: (item: T) => boolean): readonly T[] {
  return items.every(passes) ? items : items.filter(passes);
}

/**
 * Groups items by a key and keeps only groups of `least` items or more, where `least` is at least two. The groups are in
 * the order of their second items.
 *
 * Most items share their key with no other, so a group is made for the second item only.
 */
export function groupRepeats<T extends object, K>(
  items: readonly T[],
  least: number,
  keyOf: (item: T) => K,
): Map<K, T[]> {
  const firsts = new Map<K, T>();
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, item);
      continue;
    }
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [first, item]);
    else group.push(item);
  }
  return least <= 2 ? groups : new Map([...groups].filter(([, { length }]) => length >= least));
}

/**
 * Groups items by a key and keeps only groups with items that are not alike, in the order of their first items.
 *
 * Most items share their key with no other, or with equal ones, so lists are made for the others only.
 */
export function groupDiffering<T extends object, K>(
  items: readonly T[],
  keyOf: (item: T) => K,
  areAlike: (first: T, item: T) => boolean,
): Map<K, T[]> {
  const firsts = new Map<K, T>();
  const differing = new Set<K>();
  for (const item of items) {
    const key = keyOf(item);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else if (!areAlike(first, item)) differing.add(key);
  }
  if (differing.size === 0) return new Map();
  return groupBy(
    items.filter((item) => differing.has(keyOf(item))),
    keyOf,
  );
}
