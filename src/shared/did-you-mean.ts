/** "Did you mean": the known word that a mistyped one is closest to. */
import { closest, distance } from 'fastest-levenshtein';

/** A longer text is no mistyped word, and more words are no vocabulary. Comparing them would take long. */
const longestWord = 256;
const mostWords = 1000;

/** Shorter parts are in too many words to identify one. */
const shortestPart = 3;

/** Shorter parts are similar to too many words. */
const shortestSimilarPart = 6;

/**
 * Finds the known word that was probably meant. It has nearly the same spelling, whatever the case, or the given one is a
 * part of it: `decline-do-not-honor` contains `do-not-honor`, `sale.refund` ends with `refund`.
 */
export function nearest(word: string, all: readonly string[]): string | undefined {
  const known = all.slice(0, mostWords).filter((one) => one.length <= longestWord);
  if (word.length > longestWord) return undefined;
  const given = plain(word);
  const spelled = known.map(plain);
  const similar = spelled.filter((one) => isSimilar(given, one));
  const found =
    nameEndingWith(given, spelled) ??
    spelled.find((one) => isSwapped(given, one)) ??
    (similar.length > 0 ? closest(given, similar) : undefined) ??
    wordWithPart(given, spelled) ??
    wordWithSimilarPart(given, spelled);
  return found === undefined ? undefined : known[spelled.indexOf(found)];
}

/** Finds the name after whose dot this word stands. Most rules are about payments, so `create` means payment.create. */
function nameEndingWith(word: string, known: readonly string[]): string | undefined {
  const names = known.filter((one) => one.endsWith(`.${word}`));
  return names.find((one) => one.startsWith('payment.')) ?? names[0];
}

/** Otherwise every capital would count as a wrong letter, and the dashes of an option would make a short word long. */
function plain(word: string): string {
  return word.toLowerCase().replace(/^-+/, '');
}

/**
 * A third of the letters may be wrong. More would make most short words similar: `nth` and `at` share one. The first letter
 * is rarely wrong, so a third is rounded up where it is right: `payed` for `paid`.
 */
function isSimilar(word: string, known: string): boolean {
  const third = known.length / 3;
  const limit = word[0] === known[0] ? Math.ceil(third) : Math.floor(third);
  return distance(word, known) <= limit;
}

/** Whether two neighbouring letters changed places, as in `po` for `op`. */
function isSwapped(word: string, known: string): boolean {
  const at = Array.from(word).findIndex((letter, place) => letter !== known[place]);
  const swapped = `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  return at >= 0 && swapped === known;
}

/** Finds the first word that begins with this one, or the shortest that has it after a dash. */
function wordWithPart(part: string, known: readonly string[]): string | undefined {
  if (part.length < shortestPart) return undefined;
  return (
    known.find((one) => one.startsWith(part)) ??
    shortest(known.filter((one) => one.includes(`-${part}`)))
  );
}

/** Finds the shortest word with a part like this one: `decline-insufficient-funds` for `insuficient-funds`. */
function wordWithSimilarPart(part: string, known: readonly string[]): string | undefined {
  if (part.length < shortestSimilarPart) return undefined;
  const length = part.split('-').length;
  return shortest(
    known.filter((one) => {
      const words = one.split('-');
      return words.some((_, at) => isNearlyEqual(part, words.slice(at, at + length).join('-')));
    }),
  );
}

/** A part is compared with many, so only a fifth of its letters may be wrong. */
function isNearlyEqual(part: string, other: string): boolean {
  return distance(part, other) <= Math.floor(other.length / 5);
}

function shortest(words: readonly string[]): string | undefined {
  return words.reduce<string | undefined>(
    (best, one) => (best === undefined || one.length < best.length ? one : best),
    undefined,
  );
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

/** Keys that have another name elsewhere: in a rule, a step, a query or a scenario. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['with', 'params'],
  ['params', 'with'],
  ['outcome', 'then'],
  ['sequence', 'then'],
  ['operation', 'op'],
  ['op', 'operation'],
  ['ttl', 'ttlMs'],
  ['count', 'times'],
  ['times', 'count'],
  ['gates', 'hold'],
  ['name', 'scenario'],
  ['description', 'about'],
]);

/** Finds the key that was probably meant: its name in this place, or one that is spelled like it. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const here = otherNames.get(key);
  return here !== undefined && known.includes(here) ? here : nearest(key, known);
}

/** Keys of features that other tools have and this version does not, with the reason. */
const absentFeatures: ReadonlyMap<string, string> = new Map(
  ['events', 'webhooks'].map((key) => [key, 'webhooks are not part of this version']),
);

/** What is not part of a rule, gate or document, with the place where it is given. */
const givenElsewhere: ReadonlyMap<string, string> = new Map([
  [
    'merchant',
    ' Over HTTP, the merchant is named in the address, as in ?merchant=my-shop. In code, call the method of that merchant.',
  ],
  [
    'prefix',
    ' For several merchants, name it in the address, as in ?prefix=ci-. In code, call the method of sandbox.all, if it has one.',
  ],
]);

/**
 * Describes an unknown key. If the key is valid elsewhere, the message gives its name in this place instead of a
 * similar spelling.
 */
export function unknownKey(key: string, known: readonly string[]): string {
  const word = otherNames.get(key);
  const hint =
    word !== undefined && known.includes(word)
      ? ` Here it is called "${word}".`
      : (givenElsewhere.get(key) ?? didYouMean(key, known));
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
  // An id fits every path with braces, so a path with another word elsewhere is not near because of it.
  const alike = spelled.filter((one) =>
    one.split('/').every((step, at) => sharesLetters(step, steps[at])),
  );
  const found = closest(requested, alike.length === 0 ? spelled : alike);
  const area = `/${steps[1] ?? ''}/`;
  // An area alone, such as /_sandbox, is as near to every path in it.
  if (`${requested}/`.startsWith(area) && requested.length <= area.length) return undefined;
  const isShared = requested.startsWith(area) && found.startsWith(area);
  const [asked, known] = isShared
    ? [requested.slice(area.length), found.slice(area.length)]
    : [requested, found];
  // What follows a whole path may be meant for its body, as in /_sandbox/clock/advance.
  const isNear =
    asked.startsWith(`${known}/`) ||
    distance(asked, known) <= Math.max(asked.length, known.length) / 2;
  return isNear ? served[spelled.indexOf(found)] : undefined;
}

function sharesLetters(one: string, other: string | undefined): boolean {
  return (
    other === undefined ||
    one === other ||
    distance(one, other) < Math.max(one.length, other.length)
  );
}
