/** What several rules ask for, worked out by the first of them. */
import type { Evidence } from './evidence.ts';

/** The same function, which asks only once about the same evidence. */
export function once<T>(of: (evidence: Evidence) => T): (evidence: Evidence) => T {
  const known = new WeakMap<Evidence, { readonly value: T }>();
  return (evidence) => {
    const found = known.get(evidence) ?? { value: of(evidence) };
    known.set(evidence, found);
    return found.value;
  };
}
