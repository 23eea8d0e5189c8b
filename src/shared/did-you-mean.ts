/** "Did you mean": the known word that a mistyped one is closest to. */
import { closest, distance } from 'fastest-levenshtein';

/** Shorter parts are in too many words to identify one. */
const shortestPart = 3;

/**
 * The known word that was probably meant. It has nearly the same spelling, in any case of letters, or it is the shortest
 * that contains the word as a part, as `decline-do-not-honor` contains `do-not-honor`.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  // Otherwise every capital would count as a wrong letter.
  const asked = word.toLowerCase();
  const spelled = known.map((one) => one.toLowerCase());
  const found = closest(asked, spelled);
  const isNear = distance(asked, found) <= Math.max(2, Math.floor(found.length / 3));
  return isNear ? known[spelled.indexOf(found)] : shortestWith(asked, known);
}

/** The shortest word that contains this one from its start, or after a dash. */
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

/** A sentence that ends a message; empty if no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}

/** Keys of rules, steps and queries that have another name in other places. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['with', 'params'],
  ['params', 'with'],
  ['outcome', 'then'],
  ['sequence', 'then'],
  ['operation', 'op'],
]);

/** Describes an unknown key. A key that is right in another place gets its name here, instead of a similar spelling. */
export function unknownKey(key: string, known: readonly string[]): string {
  const word = otherNames.get(key);
  const meant =
    word !== undefined && known.includes(word)
      ? ` Here it is called "${word}".`
      : didYouMean(key, known);
  return `this key is not known here. Known: ${known.join(', ')}.${meant}`;
}

/** The nearest served path, such as `/a/{id}`; `undefined` if more than half of the path differs. */
export function nearestPath<T extends { readonly path: string }>(
  path: string,
  served: readonly T[],
): T | undefined {
  // A client may send a path of any length.
  const asked = path.slice(0, 256);
  const found = closest(
    asked,
    served.map((one) => one.path),
  );
  const isNear = distance(asked, found) <= Math.max(asked.length, found.length) / 2;
  return isNear ? served.find((one) => one.path === found) : undefined;
}
