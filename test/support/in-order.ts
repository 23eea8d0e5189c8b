/** Does one step after the other, for tests in which the order is the point. */
export async function inOrder<T, R>(
  items: Iterable<T>,
  step: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    // oxlint-disable-next-line no-await-in-loop -- each step must see what the one before it did.
    results.push(await step(item));
  }
  return results;
}
