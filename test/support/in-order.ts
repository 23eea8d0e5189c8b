/** Does one step after the other, for tests in which the order is the point. */
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
