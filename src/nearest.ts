/** "Did you mean": the known word that a mistyped one is closest to. */
import { closest, distance } from 'fastest-levenshtein';

/** The nearest of the known words, if it is near enough to be what was meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const found = closest(word, known);
  return distance(word, found) <= Math.max(2, Math.floor(found.length / 3)) ? found : undefined;
}

/** A sentence to end a message with; empty when nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}
