/** Refuses values that code cannot traverse: values that contain themselves, and values that nest too deeply. */
import type { DocumentErrorClass } from './document-error.ts';
import { nestedTooDeeply, type Path, type Source } from './source.ts';

/**
 * Throws if a document contains itself, for example by an alias inside its own anchor, or nests too
 * deeply. Code that traverses it later would not end, or would end at the limit of the stack.
 */
export function refuseEndless(sources: readonly Source[], ErrorClass: DocumentErrorClass): void {
  const mistakes = sources.flatMap((source) => {
    const problem = findEndlessPart(source.value);
    return problem === undefined ? [] : [`${source.at(problem.path)}: ${problem.text}`];
  });
  if (mistakes.length > 0) throw new ErrorClass(mistakes);
}

const circularText =
  'this value contains itself. An alias (*) must not be inside its own anchor (&).';

/** Many more levels than any document of this package has. */
const maxLevels = 100;

interface Problem {
  readonly path: Path;
  readonly text: string;
}

/** Finds a value inside itself or below too many levels. A value used in several places is visited once. */
function findEndlessPart(value: unknown): Problem | undefined {
  const around = new Set<object>();
  const ended = new Set<object>();

  const visit = (held: unknown, path: Path): Problem | undefined => {
    if (typeof held !== 'object' || held === null || ended.has(held)) return undefined;
    if (around.has(held)) return { path, text: circularText };
    if (path.length > maxLevels) return { path, text: nestedTooDeeply };
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
