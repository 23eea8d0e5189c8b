/**
 * Made when it is first asked for, and then kept: for schemas that no start needs. Making one takes microseconds, and
 * there are hundreds.
 */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
