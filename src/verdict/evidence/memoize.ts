/** What several rules ask for, worked out by the first of them. */

/** The same function, which asks only once about the same evidence, or trail. */
export function once<From extends object, T>(of: (from: From) => T): (from: From) => T {
  const known = new WeakMap<From, { readonly value: T }>();
  return (from) => {
    const found = known.get(from) ?? { value: of(from) };
    known.set(from, found);
    return found.value;
  };
}
