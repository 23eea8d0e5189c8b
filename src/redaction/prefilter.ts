/**
 * Finds out in one pass what kinds of secrets a text may contain: names before secrets, digits of a card number, and
 * encodings. Nearly every text has none of them.
 */
import { withCharCodes, type Codes } from './char-codes.ts';
import { meaningAt } from './characters.ts';
import { nextDigitRun } from './digit-runs.ts';
import { columnOf, endsName, initialState, nextState } from './name-finder.ts';

/** For each ASCII code, the places of a stem where it may stand, one bit each. */
const placesOf = new Uint32Array(128);
let placesTaken = 0;
let firstPlaces = 0;

/** Bits above these are needed for the column. */
const mostPlaces = 24;

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
  /** Four digits in hexadecimal. */
  hex: stem(...hexDigit, ...hexDigit, ...hexDigit, ...hexDigit),
} as const;

/** All that the loop needs to know of each ASCII code: its places, and from this bit on its column in the name finder. */
const columnBit = 24;
const asciiWords = Uint32Array.from(
  placesOf,
  (places, code) => places | (columnOf(meaningAt(Uint8Array.of(code), 0)) << columnBit),
);

/** The end of a name in a text, with the state of the finder there. */
export interface NameEnd {
  /** The place of the last letter. */
  readonly at: number;
  readonly state: number;
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
  const first = firstPlaces;
  const words = asciiWords;
  let names: NameEnd[] | undefined;
  let state = initialState;
  // A bit in `reached` means that the latest characters match a stem up to that place.
  let reached = 0;
  let seen = 0;
  // The loop has no branches that depend on the text, because they would take most of its time.
  for (let at = 0; at < length; at++) {
    const code = codes[at] ?? 0;
    const word = code < 128 ? (words[code] ?? 0) : columnOf(meaningAt(codes, at)) << columnBit;
    reached = ((reached << 1) | first) & word;
    seen |= reached;
    state = nextState(state, word >>> columnBit);
    if (endsName(state)) (names ??= []).push({ at, state });
  }
  const hasManyDigits = nextDigitRun(codes, length, 0) !== undefined;
  const hasHex = (seen & stems.hex) !== 0;
  const hasBase64 = (seen & stems.base64) !== 0;
  const isEscaped = (seen & stems.escape) !== 0;
  if (names === undefined && !(hasManyDigits || hasHex || hasBase64 || isEscaped)) return nothing;
  return { names: names ?? noNames, isEscaped, hasBase64, hasHex, hasManyDigits };
}
