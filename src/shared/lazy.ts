/**
 * Wraps a function so that its result is made on first use and then kept. It is for schemas that no start needs: each
 * takes microseconds to make, and there are hundreds.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let result: T | undefined;
  return () => (result ??= make());
}
