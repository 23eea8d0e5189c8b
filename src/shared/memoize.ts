/** Makes a function that computes its result once for each source, and keeps it as long as the source lives. */
export function memoize<Source extends object, T>(
  compute: (source: Source) => T,
): (source: Source) => T {
  const results = new WeakMap<Source, { readonly value: T }>();
  return (source) => {
    const known = results.get(source);
    if (known !== undefined) return known.value;
    const result = { value: compute(source) };
    results.set(source, result);
    return result.value;
  };
}
