/** Finds card numbers in text: digits that pass Luhn's check and start like an issuer's. */
import { looksIssued, passesLuhn } from '../domain/card/brand.ts';
import { withCharCodes, type Codes } from './char-codes.ts';
import { areDigits, type Secret } from './secret.ts';
import { digit, kindOf, nextDigitRun, separator, shortest } from './digit-runs.ts';

const longest = 19;

/**
 * A UUID. One in 350 random UUIDs contains digits that look like a card number, but not in groups
 * that a person would write.
 *
 * At least one letter is required: a UUID of digits alone is not random.
 */
const uuid =
  /(?<![\da-z])(?=[\d-]*[a-f])[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?![\da-z])/gi;
const uuidLength = 36;
const longestGroup = 12;

function isWithinUuid(text: string, { start, end }: Secret): boolean {
  // Fast path: digits without dashes, too many for a group of a UUID.
  if (end - start > longestGroup && !text.slice(start, end).includes('-')) return false;
  const from = Math.max(0, start - uuidLength);
  const around = text.slice(from, end + uuidLength);
  return [...around.matchAll(uuid)].some(
    ({ index }) => from + index <= start && end <= from + index + uuidLength,
  );
}

/**
 * Finds every card number in a text, also inside longer runs of digits and across separators. Skips
 * those that appear in a UUID by chance.
 */
export function findCardNumbers(text: string): Secret[] {
  return findDigits(text).filter((one) => !isWithinUuid(text, one));
}

function findDigits(text: string): Secret[] {
  return withCharCodes(text, (codes, length) => {
    const found: Secret[] = [];
    let run = nextDigitRun(codes, length, 0);
    while (run !== undefined) {
      const { start, end } = run;
      const whole = text.slice(start, end);
      if (areDigits(whole)) findInDigits(whole, (at) => start + at, found);
      else {
        findInRuns(codes, start, end, found);
        findInWideGroups(whole, start, found);
      }
      run = nextDigitRun(codes, length, end);
    }
    return found;
  });
}

/**
 * Groups as cards print them, with the same two or three separators between all groups.
 * Neighbouring numbers, as in a table, rarely have this form.
 */
const wideGroups =
  /(?<!\d)\d{4}(\D{2,3})(?:\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{6}\1\d{5})(?!\d)/g;

function findInWideGroups(text: string, start: number, found: Secret[]): void {
  for (const { 0: groups, index } of text.matchAll(wideGroups)) {
    const places = [...groups.matchAll(/\d/g)].map((one) => start + index + one.index);
    findInDigits(groups.replaceAll(/\D/g, ''), (at) => places[at] ?? 0, found);
  }
}

/** Two separators in a row end a run. */
function findInRuns(codes: Codes, start: number, end: number, found: Secret[]): void {
  let places: number[] = [];
  const endRun = (): void => {
    const run = places;
    const digits = run.map((place) => (codes[place] ?? 0) & 0xf).join('');
    findInDigits(digits, (at) => run[at] ?? 0, found);
    places = [];
  };
  for (let at = start; at < end; at++) {
    if (kindOf(codes[at]) === digit) places.push(at);
    else if (kindOf(codes[at - 1]) === separator) endRun();
  }
  endRun();
}

/**
 * Finds card numbers in one run of digits. `placeOf` gives the place of each digit in the text.
 * Only the longest number at each start is needed.
 */
function findInDigits(run: string, placeOf: (at: number) => number, found: Secret[]): void {
  for (let start = 0; start + shortest <= run.length; start++) {
    for (let length = Math.min(longest, run.length - start); length >= shortest; length--) {
      const number = run.slice(start, start + length);
      if (passesLuhn(number) && looksIssued(number)) {
        found.push({
          start: placeOf(start),
          end: placeOf(start + length - 1) + 1,
          shown: number.slice(-4),
        });
        // Numbers that start later lie inside this one, which reaches the end.
        if (start + length === run.length) return;
        break;
      }
    }
  }
}
