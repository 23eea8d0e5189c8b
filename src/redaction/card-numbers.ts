/** Finds card numbers in running text: digits that pass Luhn's check and start as an issuer's do. */
import { looksIssued, passesLuhn } from '../domain/brand.ts';
import type { Secret } from './secret.ts';

const shortest = 12;
const longest = 19;

const other = 0;
const digit = 1;
const separator = 2;

/** What people, forms and broken encodings put between the digits of a card number. */
const separators =
  ' .-_+\t\0\u00a0\u00ad\u00b7\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u200b\u200c\u200d\u200e\u200f\u2010\u2011\u2012\u2013\u2014\u2015\u2022\u2028\u2029\u202a\u202b\u202c\u202d' +
  '\u202e\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u2212\u3000\ufeff';

const asciiKinds = new Uint8Array(128);
asciiKinds.fill(digit, 48, 58);
for (const one of separators) {
  if (one.charCodeAt(0) < 128) asciiKinds[one.charCodeAt(0)] = separator;
}

/** Rows of digits beside ASCII's: Arabic and Persian ones, and those of East Asian keyboards. */
const [arabic, persian, fullWidth] = [0x660, 0x6f0, 0xff10];

/** In each row, ASCII's too, the last four bits are the digit. */
function isDigitOfOthers(code: number): boolean {
  const row = code & ~0xf;
  return (code & 0xf) <= 9 && (row === arabic || row === persian || row === fullWidth);
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return asciiKinds[code] ?? other;
  if (isDigitOfOthers(code)) return digit;
  return code >= 128 && separators.includes(text.charAt(at)) ? separator : other;
}

/**
 * The next stretch of digits and separators with enough digits for a card number, from `from` on. Only every twelfth
 * character is looked at until one is a digit or separator: no stretch that is long enough fits between two looks.
 */
function nextStretch(text: string, from: number): { start: number; end: number } | undefined {
  for (let at = from + shortest - 1; at < text.length; at += shortest) {
    if (kindAt(text, at) === other) continue;
    let digits = 0;
    let start = at;
    for (; start > from && kindAt(text, start - 1) !== other; start--) {
      if (kindAt(text, start - 1) === digit) digits++;
    }
    for (; at < text.length; at++) {
      const kind = kindAt(text, at);
      if (kind === other) break;
      if (kind === digit) digits++;
    }
    if (digits >= shortest) return { start, end: at };
  }
  return undefined;
}

/** Whether there are digits enough for a card number; costs a fraction of a look at every character. */
export function hasManyDigits(text: string): boolean {
  return nextStretch(text, 0) !== undefined;
}

/**
 * Of a random UUID's digits one in 350 has what passes for a card number, and its groups are no way to write one.
 * Digits and dashes alone are not let through: no such id is random.
 */
const uuid =
  /(?<![\da-z])(?=[\d-]*[a-f])[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?![\da-z])/gi;
const uuidLength = 36;
const longestGroup = 12;

function isWithinUuid(text: string, { start, end }: Secret): boolean {
  // Nearly every number: its digits stand together, and are too many for a group.
  if (end - start > longestGroup && !text.slice(start, end).includes('-')) return false;
  const from = Math.max(0, start - uuidLength);
  const around = text.slice(from, end + uuidLength);
  return [...around.matchAll(uuid)].some(
    ({ index }) => from + index <= start && end <= from + index + uuidLength,
  );
}

/**
 * Every card number in a text, also inside longer runs of digits, but for what stands in a UUID by chance. Digits may
 * be split by separators.
 */
export function findCardNumbers(text: string): Secret[] {
  return findDigits(text).filter((one) => !isWithinUuid(text, one));
}

function findDigits(text: string): Secret[] {
  const found: Secret[] = [];
  let stretch = nextStretch(text, 0);
  while (stretch !== undefined) {
    const { start, end } = stretch;
    const whole = text.slice(start, end);
    if (plainDigits.test(whole)) findInRun(whole, (at) => start + at, found);
    else {
      findInRuns(text, start, end, found);
      findInWideGroups(whole, start, found);
    }
    stretch = nextStretch(text, end);
  }
  return found;
}

/** Nearly every number is written like this. */
const plainDigits = /^[0-9]+$/;

/**
 * As cards print them, and typed with care: the same two or three separators between all groups. Numbers that stand
 * beside each other, as in the rows of a table, have hardly ever this form and that of a card's.
 */
const wideGroups =
  /(?<!\d)\d{4}(\D{2,3})(?:\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{6}\1\d{5})(?!\d)/g;

function findInWideGroups(text: string, start: number, found: Secret[]): void {
  for (const { 0: groups, index } of text.matchAll(wideGroups)) {
    const places = [...groups.matchAll(/\d/g)].map((one) => start + index + one.index);
    findInRun(groups.replaceAll(/\D/g, ''), (at) => places[at] ?? 0, found);
  }
}

/** Two separators in a row end a run. */
function findInRuns(text: string, start: number, end: number, found: Secret[]): void {
  let places: number[] = [];
  const endRun = (): void => {
    const run = places;
    const digits = run.map((place) => text.charCodeAt(place) & 0xf).join('');
    findInRun(digits, (at) => run[at] ?? 0, found);
    places = [];
  };
  for (let at = start; at < end; at++) {
    if (kindAt(text, at) === digit) places.push(at);
    else if (kindAt(text, at - 1) === separator) endRun();
  }
  endRun();
}

/**
 * Slides over one run of digits; `placeOf` says where each stands in the text. Of the numbers that start at one digit,
 * the longest is enough.
 */
function findInRun(run: string, placeOf: (at: number) => number, found: Secret[]): void {
  for (let start = 0; start + shortest <= run.length; start++) {
    for (let length = Math.min(longest, run.length - start); length >= shortest; length--) {
      const number = run.slice(start, start + length);
      if (passesLuhn(number) && looksIssued(number)) {
        found.push({
          start: placeOf(start),
          end: placeOf(start + length - 1) + 1,
          shown: number.slice(-4),
        });
        // What starts later lies within it, where it goes to the end.
        if (start + length === run.length) return;
        break;
      }
    }
  }
}
