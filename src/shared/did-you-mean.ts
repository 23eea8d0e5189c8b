/** "Did you mean": the known word that a mistyped one is closest to. */
import { closest, distance } from 'fastest-levenshtein';

/** Shorter parts stand in too many words to tell one. */
const shortestPart = 3;

/**
 * The nearest of the known words, if it is near enough to be what was meant: one that is spelled nearly so, be it in
 * capitals, or the shortest that holds the word as a part, as `decline-do-not-honor` holds `do-not-honor`.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  // Capitals are a slip of another kind, and every one of them would count as a wrong letter.
  const asked = word.toLowerCase();
  const spelled = known.map((one) => one.toLowerCase());
  const found = closest(asked, spelled);
  const isNear = distance(asked, found) <= Math.max(2, Math.floor(found.length / 3));
  return isNear ? known[spelled.indexOf(found)] : shortestWith(asked, known);
}

/** Parts of a word begin with it, or after a dash. */
function shortestWith(word: string, known: readonly string[]): string | undefined {
  const part = word.replace(/^-+/, '');
  if (part.length < shortestPart) return undefined;
  let shortest: string | undefined;
  for (const one of known) {
    const isShorter = shortest === undefined || one.length < shortest.length;
    const isWithin = one.includes('-') && `-${one.toLowerCase()}`.includes(`-${part}`);
    if (isShorter && isWithin) shortest = one;
  }
  return shortest;
}

/** A sentence to end a message with; empty when nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}

/** Keys of rules, steps and queries that say the same thing by another word elsewhere. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['with', 'params'],
  ['params', 'with'],
  ['outcome', 'then'],
  ['sequence', 'then'],
  ['operation', 'op'],
]);

/** Says of a key that there is none such, and what was meant: one that is right elsewhere is no slip of the hand. */
export function unknownKey(key: string, known: readonly string[]): string {
  const word = elsewhere.get(key);
  const meant =
    word !== undefined && known.includes(word)
      ? ` Here it is called "${word}".`
      : didYouMean(key, known);
  return `this key is not known here. Known: ${known.join(', ')}.${meant}`;
}

/** The nearest of what is served at paths like `/a/{id}`; none where half of the path would have to be another. */
export function nearestPath<T extends { readonly path: string }>(
  path: string,
  served: readonly T[],
): T | undefined {
  // A path may be as long as its sender likes.
  const asked = path.slice(0, 256);
  const found = closest(
    asked,
    served.map((one) => one.path),
  );
  const isNear = distance(asked, found) <= Math.max(asked.length, found.length) / 2;
  return isNear ? served.find((one) => one.path === found) : undefined;
}
