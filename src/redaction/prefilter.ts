/**
 * Finds out in one pass what kinds of secrets a text may contain: names before secrets, digits of a card number, and
 * encodings. Nearly every text has none of them.
 */
import { withCharCodes, type Codes } from './char-codes.ts';
import { isDigit, isLetter, letterA, meaningAt, type Meaning } from './characters.ts';
import { shortest } from './digit-runs.ts';
import { findNames, type NameEnd } from './name-finder.ts';
import { secretNames } from './secret-names.ts';

/** For each ASCII code, the places of a stem where it may stand, one bit each. */
const placesOf = new Int32Array(128);
let placesTaken = 0;
let firstPlaces = 0;

/** The bits above these say whether a character is a digit, and whether it is no letter. */
const mostPlaces = 30;
const digitBit = 30;
const noLetter = 1 << 31;

/** Adds a stem, given as the characters allowed at each of its places. Returns the bit of its last place. */
function stem(...places: readonly string[]): number {
  if (placesTaken + places.length > mostPlaces) throw new Error(`There are ${mostPlaces} places.`);
  firstPlaces |= 1 << placesTaken;
  for (const characters of places) {
    for (let at = 0; at < characters.length; at++) {
      const code = characters.charCodeAt(at);
      placesOf[code] = (placesOf[code] ?? 0) | (1 << placesTaken);
    }
    placesTaken++;
  }
  return 1 << (placesTaken - 1);
}

/**
 * Each name of a secret has one of these stems, whatever else it consists of. One stem stands for several, so it also
 * occurs in other words.
 */
const nameStems = [
  // cvv, ccv, cvc, cid, csc, cvn, cvd, cav, and any code.
  ['c', 'cvisao', 'vcdn'],
  // number, securityvalue, pruefziffer, authorization.
  ['cnrz', 'iu', 'fmrz'],
  // cardvalue, cardverification.
  ['v', 'ae', 'lr'],
  // accesstoken, clientsecret, cryptogramme, cardno.
  ['dt', 'nos', 'egko'],
  // bearer, basic.
  ['b', 'ae', 'as'],
] as const;

for (const { word } of secretNames) {
  const hasStem = nameStems.some((places) => stemPattern(places).test(word));
  if (!hasStem) throw new Error(`The prefilter needs a stem of the name ${word}.`);
}

/** Stems of names come first, so that one mask holds them. */
let nameEnd = 0;
for (const places of nameStems) nameEnd |= stem(...places);
/** The places of names but the last ones. They are kept over characters that are no letters. */
const namePlaces = ((1 << placesTaken) - 1) & ~nameEnd;

function stemPattern(places: readonly string[]): RegExp {
  return new RegExp(places.map((letters) => `[${letters}]`).join(''));
}

const digits = '0123456789';
const hexDigit = ['3', digits] as const;

/**
 * Base64 of three digits that fill a unit of four signs, and of three digits that start at the second place of a
 * unit. One of both is in the base64 of every card number that is written in groups or without.
 */
export const base64Digits = [
  ['MNO', 'DTjz', 'AEIMQUYcgk', 'wxyz012345'],
  ['DTjz', 'AEIMQUYcgk', 'wxyz012345', 'MNO'],
] as const;

const stems = {
  /** A character that starts an escape. */
  escape: stem('%\\&='),
  base64: stem(...base64Digits[0]) | stem(...base64Digits[1]),
  /** Three digits in hexadecimal. */
  hex: stem(...hexDigit, ...hexDigit, ...hexDigit),
} as const;

/** Added to a meaning, so that it is no ASCII code. */
const notAscii = 128;

/** All that the loop needs to know of a character, by its ASCII code or its meaning. */
const wordOf = Int32Array.from({ length: 2 * notAscii }, (_, code) =>
  code < notAscii
    ? readWord(meaningAt(Uint8Array.of(code), 0)) | (placesOf[code] ?? 0)
    : readWord(code - notAscii),
);

/** A letter has the places of names in which its lower-case ASCII form may stand. */
function readWord(meaning: Meaning): number {
  if (meaning >= letterA) return (placesOf[meaning] ?? 0) & (namePlaces | nameEnd);
  if (isLetter(meaning)) return 0;
  return isDigit(meaning) ? noLetter | (1 << digitBit) : noLetter;
}

/** ASCII codes, and the meanings of all other characters. */
function fold(codes: Codes, length: number): Uint8Array {
  if (codes instanceof Uint8Array) return codes;
  const folded = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    const code = codes[at] ?? 0;
    folded[at] = code < notAscii ? code : notAscii + meaningAt(codes, at);
  }
  return folded;
}

/** What a text may contain. */
export interface Sightings {
  readonly names: readonly NameEnd[];
  readonly isEscaped: boolean;
  readonly hasBase64: boolean;
  readonly hasHex: boolean;
  /** Enough digits for a card number. */
  readonly hasManyDigits: boolean;
}

const noNames: readonly NameEnd[] = [];
const nothing: Sightings = {
  names: noNames,
  isEscaped: false,
  hasBase64: false,
  hasHex: false,
  hasManyDigits: false,
};

/**
 * Looks through a text once. Every secret of a kind is reported. Other texts may be reported too: the search that
 * follows decides.
 */
export function prefilter(text: string): Sightings {
  return withCharCodes(text, look);
}

function look(codes: Codes, length: number): Sightings {
  const folded = fold(codes, length);
  const words = wordOf;
  const first = firstPlaces;
  const kept = namePlaces;
  const last = nameEnd;
  // A bit in `reached` means that the latest characters match a stem up to that place.
  let reached = 0;
  let seen = 0;
  let stemEnds: number[] | undefined;
  // The digits since the last letter. Once they are enough for a card number, `missing` is negative.
  let digitCount = 0;
  let missing = 0;
  // The loop calls nothing and hardly branches: that would take most of its time.
  for (let at = 0; at < length; at++) {
    const word = words[folded[at] ?? 0] ?? 0;
    // All bits are set if the character is no letter.
    const between = word >> 31;
    reached = (((reached << 1) | first) & word) | (reached & kept & between);
    seen |= reached;
    if ((reached & last) !== 0) (stemEnds ??= []).push(at);
    digitCount = (digitCount + ((word >> digitBit) & 1)) & between;
    missing |= shortest - 1 - digitCount;
  }
  const names = stemEnds === undefined ? noNames : findNames(codes, length, stemEnds);
  const hasManyDigits = missing < 0;
  const hasHex = (seen & stems.hex) !== 0;
  const hasBase64 = (seen & stems.base64) !== 0;
  const isEscaped = (seen & stems.escape) !== 0;
  if (names.length === 0 && !(hasManyDigits || hasHex || hasBase64 || isEscaped)) return nothing;
  return { names, isEscaped, hasBase64, hasHex, hasManyDigits };
}
