/**
 * Tells at one look what secrets a text cannot hold, so that it is searched only for those that it may hold. One loop takes
 * the place of an expression for each kind: of eight an answer is left with one or none.
 */
import { withCharCodes, type Codes } from './char-codes.ts';
import { secretNames, type SecretName } from './secret-names.ts';
import { nextDigitRun } from './digit-runs.ts';

/** By character, the places of stems that it may stand at, each a bit. */
const placesOf = new Int32Array(256);
/** The sign bit stands for `manyDigits`. */
const mostPlaces = 31;
let placesTaken = 0;
let firstPlaces = 0;
let lastPlaces = 0;

/**
 * Has texts looked through for a stem, given as the characters that may stand at each of its places. Gives the bit that
 * tells of it. There is room for 31 places.
 */
function stem(...places: readonly string[]): number {
  if (placesTaken + places.length > mostPlaces) {
    throw new Error(`The prefilter has room for ${mostPlaces} places. Use shorter stems.`);
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

/** Looks for the stems of these names, in either case. */
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
 * What a text may contain, a bit each. Every secret of a kind contains a stem of that kind. Other texts may contain one
 * too: the search that follows decides.
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
  /** A character that begins an escape. */
  escape: stem('%\\&'),
  /** How base64 writes three digits, and the first half of three more. */
  base64: stem('MNOIL', 'CDSTijyz', 'AEIMQUYcgk04', 'wxyz012345gtu', 'MNOIL', 'CDSTijyz'),
  /** No stem: digits enough for a card number. */
  manyDigits: 1 << 31,
} as const;

/** What a text may hold: bits of `sight`. */
export type Sightings = number;

/**
 * Looks a text through once. While its last characters are the beginning of a stem, the bit of the place they reach is
 * set; each character moves all of them on by one, and leaves those that it may stand at.
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
    // Codes beyond a byte are taken for others, which at worst sees too much.
    reached = ((reached << 1) | first) & (places[(codes[at] ?? 0) & 0xff] ?? 0);
    seen |= reached;
  }
  const stems = seen & lastPlaces;
  return nextDigitRun(codes, length, 0) === undefined ? stems : stems | sight.manyDigits;
}

/**
 * Whether an expression finds anything in a text. It is the one that finds all of it, begun anew, or it would go on
 * from where it was.
 */
export function hasMatch(all: RegExp, text: string): boolean {
  all.lastIndex = 0;
  return all.test(text);
}
