/**
 * Tells at one look what secrets a text cannot hold, so that it is searched only for those that it may hold. One loop takes
 * the place of an expression for each kind: of eight an answer is left with one or none.
 */
import { lookThrough, type Codes } from './codes.ts';
import { nextStretch } from './stretch.ts';

/** By character, the places of stems that it may stand at, each a bit. */
const placesOf = new Int32Array(256);
let placesTaken = 0;
let firstPlaces = 0;
let lastPlaces = 0;

/**
 * Has texts looked through for a stem, given as the characters that may stand at each of its places. Gives the bit that
 * tells of it. There is room for 31 places.
 */
function stem(...places: readonly string[]): number {
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

/** The same for letters of either case. */
function word(...places: readonly string[]): number {
  return stem(...places.map((letters) => letters + letters.toUpperCase()));
}

/**
 * What a look tells of, a bit each. Every secret of a kind has its stem in it, which may be met by more than it is for,
 * never by less.
 */
export const sight = {
  /** `number`, by its middle. */
  number: word('u', 'm', 'b'),
  /** `cvv`, `ccv`, `cvc`, `cid`, `csc` and `cvn`. */
  shortCode: word('c', 'cvis', 'cvdn'),
  /** `security` and `verification`, by their middles. */
  longCode: word('cf', 'ui', 'rc', 'ia'),
  /** What ends with `card` and goes on with a sign, `code` or `value`. */
  cardCode: word('d', ' _-cv', 'cvoa', 'oadl'),
  /** `secret`, `token` and `authorization`. */
  credential: word('stu', 'eot', 'ckh'),
  /** `bearer` and `basic`. */
  scheme: word('ab', 'ra', 'es', 'ri'),
  /** The `"path"` of a patch, and the `"name"` or `"key"` of a field in a list. No card has such a member. */
  naming: word('"', 'pnk', 'ae'),
  /** What stands for another character, or begins what does. */
  escape: stem('%\\&'),
  /** How base64 writes three digits, and the half of three more. */
  base64: stem('MNOIL', 'CDSTijyz', 'AEIMQUYcgk04', 'wxyz012345gtu', 'MNOIL', 'CDSTijyz'),
  /** No stem: digits enough for a card number. */
  manyDigits: 1 << 31,
} as const;

/** What a text may hold: bits of `sight`. */
export type Seen = number;

/**
 * Looks a text through once. While its last characters are the beginning of a stem, the bit of the place they reach is
 * set; each character moves all of them on by one, and leaves those that it may stand at.
 */
export function firstLook(text: string): Seen {
  return lookThrough(text, look);
}

function look(codes: Codes, length: number): Seen {
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
  return nextStretch(codes, length, 0) === undefined ? stems : stems | sight.manyDigits;
}

/**
 * Whether an expression finds anything in a text. It is the one that finds all of it, begun anew, or it would go on
 * from where it was.
 */
export function secondLook(all: RegExp, text: string): boolean {
  all.lastIndex = 0;
  return all.test(text);
}
