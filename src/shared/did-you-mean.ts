/** "Did you mean": the known word that a mistyped one is closest to. */
import { closest, distance } from 'fastest-levenshtein';

/** A longer text is no mistyped word, and more words are no vocabulary. Comparing them would take long. */
const longestWord = 256;
const mostWords = 1000;

/** Shorter parts are in too many words to identify one. */
const shortestPart = 3;

/**
 * Finds the known word that was probably meant. It has nearly the same spelling, whatever the case, or it is the
 * shortest word that contains the given one: `decline-do-not-honor` contains `do-not-honor`.
 */
export function nearest(word: string, all: readonly string[]): string | undefined {
  const known = all.slice(0, mostWords).filter((one) => one.length <= longestWord);
  if (known.length === 0 || word.length > longestWord) return undefined;
  // Otherwise every capital would count as a wrong letter.
  const lowerCase = word.toLowerCase();
  const spelled = known.map((one) => one.toLowerCase());
  const found = closest(lowerCase, spelled);
  const isNear = distance(lowerCase, found) <= Math.max(2, Math.floor(found.length / 3));
  return isNear ? known[spelled.indexOf(found)] : shortestWith(lowerCase, known);
}

/** Finds the shortest word that contains this one, at its start or after a dash. */
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

/** Writes the last sentence of a message; empty if no known word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}

/** A message with more words would not be read. */
const mostListed = 200;

/** Lists the known words for a message: `a, b, c`. The rest of a very long list is counted. */
export function listKnown(known: readonly string[]): string {
  const left = known.length - mostListed;
  return `${known.slice(0, mostListed).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** Keys of rules, steps and queries that have another name elsewhere. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['with', 'params'],
  ['params', 'with'],
  ['outcome', 'then'],
  ['sequence', 'then'],
  ['operation', 'op'],
  ['ttl', 'ttlMs'],
]);

/** Keys of features that other tools have and this version does not, with the reason. */
const absentFeatures: ReadonlyMap<string, string> = new Map(
  ['events', 'webhooks'].map((key) => [key, 'webhooks are not part of this version']),
);

/**
 * Describes an unknown key. If the key is valid elsewhere, the message gives its name in this place instead of a
 * similar spelling.
 */
export function unknownKey(key: string, known: readonly string[]): string {
  const word = otherNames.get(key);
  const hint =
    word !== undefined && known.includes(word)
      ? ` Here it is called "${word}".`
      : didYouMean(key, known);
  const absent = absentFeatures.get(key);
  return absent === undefined
    ? `this key is not known here. Known: ${listKnown(known)}.${hint}`
    : `this key is not known here: ${absent}. Known: ${listKnown(known)}.`;
}

/**
 * Finds the most similar served path, such as `/a/{id}`; `undefined` if more than half of the path differs. The ids of the
 * request stand for the names in braces, and a first word such as `/v1` that both have is left out, so that only the other
 * words count.
 */
export function nearestPath<T extends { readonly path: string }>(
  path: string,
  served: readonly T[],
): T | undefined {
  // A client may send a path of any length.
  const requested = path.slice(0, 256);
  const steps = requested.split('/');
  const spelled = served.map((one) =>
    one.path
      .split('/')
      .map((step, at) => (step.startsWith('{') ? (steps[at] ?? step) : step))
      .join('/'),
  );
  const found = closest(requested, spelled);
  const area = `/${steps[1] ?? ''}/`;
  const isShared = requested.startsWith(area) && found.startsWith(area);
  const [asked, known] = isShared
    ? [requested.slice(area.length), found.slice(area.length)]
    : [requested, found];
  const isNear = distance(asked, known) <= Math.max(asked.length, known.length) / 2;
  return isNear ? served[spelled.indexOf(found)] : undefined;
}
