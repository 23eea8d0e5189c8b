/**
 * Finds out in one pass which kinds of secrets a text cannot contain. Only the remaining searches
 * run: usually none or one of eight.
 */
import { withCharCodes, type Codes } from './char-codes.ts';
import { secretNames, type SecretName } from './secret-names.ts';
import { nextDigitRun } from './digit-runs.ts';

/** For each character code, the stem places where it may stand, one bit each. */
const placesOf = new Int32Array(256);
/** The sign bit is reserved for `manyDigits`. */
const mostPlaces = 31;
let placesTaken = 0;
let firstPlaces = 0;
let lastPlaces = 0;

/**
 * Adds a stem, given as the characters allowed at each of its places. Returns its bit. There are 31
 * places in total.
 */
function stem(...places: readonly string[]): number {
  if (placesTaken + places.length > mostPlaces) {
    throw new Error(`The prefilter supports ${mostPlaces} places. Use shorter stems.`);
  }
  firstPlaces |= 1 << placesTaken;
  for (const characters of places) {
    for (let at = 0; at < characters.length; at++) {
      const code = characters.charCodeAt(at);
      placesOf[code] = (placesOf[code] ?? 0) | (1 << placesTaken);
    }
    placesTaken++;
  }
  const last = 1 << (placesTaken - 1);
  lastPlaces |= last;
  return last;
}

/** Adds the stems of these names, in upper and lower case. */
function stemsOf(...lists: readonly (readonly SecretName[])[]): number {
  const stems = lists.flat().map((name) => name.stem);
  const [first = ''] = stems;
  if (stems.some(({ length }) => length !== first.length)) {
    throw new Error(
      `Stems that are looked for together must be equally long: ${stems.join(', ')}.`,
    );
  }
  return stem(
    ...Array.from(first, (_, at) => {
      const letters = stems.map((one) => one.charAt(at)).join('');
      return letters + letters.toUpperCase();
    }),
  );
}

/**
 * What a text may contain, one bit each. Every secret of a kind contains a stem of that kind. Other
 * texts may contain one too: the search that follows decides.
 */
export const sight = {
  number: stemsOf(secretNames.number),
  shortCode: stemsOf(
    secretNames.shortCodes,
    secretNames.cvc,
    secretNames.wholeWordCodes,
    secretNames.cvn,
  ),
  longCode: stemsOf(secretNames.codePurposes),
  cardCode: stemsOf(secretNames.cardCodes),
  credential: stemsOf(secretNames.clientSecret, secretNames.tokens, secretNames.authorization),
  scheme: stemsOf(secretNames.bearer, secretNames.basic),
  naming: stemsOf(secretNames.namingMembers),
  /** A character that starts an escape. */
  escape: stem('%\\&'),
  /** Three digits in base64, and the first half of three more. */
  base64: stem('MNOIL', 'CDSTijyz', 'AEIMQUYcgk04', 'wxyz012345gtu', 'MNOIL', 'CDSTijyz'),
  /** No stem: enough digits for a card number. */
  manyDigits: 1 << 31,
} as const;

/** What a text may contain, as bits of `sight`. */
export type Sightings = number;

/**
 * Looks through a text once.
 *
 * A bit in `reached` means that the latest characters match a stem up to that place. Each character
 * shifts all bits by one place and clears those it does not match.
 */
export function prefilter(text: string): Sightings {
  return withCharCodes(text, look);
}

function look(codes: Codes, length: number): Sightings {
  const first = firstPlaces;
  const places = placesOf;
  let reached = 0;
  let seen = 0;
  for (let at = 0; at < length; at++) {
    // Codes beyond a byte are cut, which at worst reports too much.
    reached = ((reached << 1) | first) & (places[(codes[at] ?? 0) & 0xff] ?? 0);
    seen |= reached;
  }
  const stems = seen & lastPlaces;
  return nextDigitRun(codes, length, 0) === undefined ? stems : stems | sight.manyDigits;
}

/** Whether a global expression matches. It is shared, so its position is reset first. */
export function hasMatch(all: RegExp, text: string): boolean {
  all.lastIndex = 0;
  return all.test(text);
}
