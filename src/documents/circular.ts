/** Finds circular values: values that contain themselves. */
import type { DocumentErrorClass } from './document-error.ts';
import type { Path, Source } from './source.ts';

/**
 * Throws if a document contains itself, for example by an alias inside its own anchor. Code that
 * traverses it later would not end.
 */
export function refuseCircular(sources: readonly Source[], ErrorClass: DocumentErrorClass): void {
  const mistakes = sources.flatMap((source) => {
    const path = findCircularPath(source.value);
    return path === undefined ? [] : [`${source.at(path)}: ${circularText}`];
  });
  if (mistakes.length > 0) throw new ErrorClass(mistakes);
}

const circularText =
  'this value contains itself. An alias (*) must not be inside its own anchor (&).';

/**
 * The path where a value appears again inside itself. A value used in several places is visited
 * once.
 */
function findCircularPath(value: unknown): Path | undefined {
  const around = new Set<object>();
  const ended = new Set<object>();

  const visit = (held: unknown, path: Path): Path | undefined => {
    if (typeof held !== 'object' || held === null || ended.has(held)) return undefined;
    if (around.has(held)) return path;
    around.add(held);
    const members = Array.isArray(held) ? held.entries() : Object.entries(held);
    for (const [key, member] of members) {
      const found = visit(member, [...path, key]);
      if (found !== undefined) return found;
    }
    around.delete(held);
    ended.add(held);
    return undefined;
  };

  return visit(value, []);
}
