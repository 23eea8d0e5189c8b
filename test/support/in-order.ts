/** Runs one step after the other, for tests where the order matters. */
export async function inOrder<T, R>(
  items: Iterable<T>,
  step: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(await step(item));
  }
  return results;
}
