/** Finds card numbers in text: digits that pass Luhn's check and start like an issuer's. */
import { brandOfPrefix, isOfOtherIssuer, type Brand } from '../domain/card/brand.ts';
import { withCharCodes, type Codes } from './char-codes.ts';
import { digit0, invisible, isDigit, meaningAt } from './characters.ts';
import { nextDigitRun, shortest } from './digit-runs.ts';
import type { Secret } from './secret.ts';

const longest = 19;
const prefixLength = 6;

/** More characters than this between two digits end a number. */
const widestGap = 3;

/**
 * A UUID. One in 350 random UUIDs contains digits that look like a card number, but not in groups
 * that a person would write.
 *
 * At least one letter is required: a UUID of digits alone is not random.
 */
const uuid =
  /(?<![\da-z])(?=[\d-]*[a-f])[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}(?![\da-z])/gi;
const uuidLength = 36;
const longestUuidGroup = 12;

/** Counts the steps of a search. A test shows that they grow no faster than the text. */
export interface StepCounter {
  steps: number;
}

/**
 * Finds every card number in a text, across separators and inside longer runs of digits. Skips what
 * looks like a UUID, a telephone number or a date.
 *
 * The search is linear: each digit starts at most eight numbers, of 12 to 19 digits.
 */
export function findCardNumbers(text: string, counter?: StepCounter): Secret[] {
  const found: Secret[] = [];
  if (text.length < shortest) return found;
  withCharCodes(text, (codes, length) => {
    let run = nextDigitRun(codes, length, 0);
    while (run !== undefined) {
      findInRun(codes, run.start, run.end, found, counter);
      run = nextDigitRun(codes, length, run.end);
    }
  });
  return found.length === 0 ? found : found.filter((one) => !isWithinUuid(text, one));
}

function isWithinUuid(text: string, { start, end }: Secret): boolean {
  // Fast path: digits without dashes, too many for a group of a UUID.
  if (end - start > longestUuidGroup && !text.slice(start, end).includes('-')) return false;
  const from = Math.max(0, start - uuidLength);
  const around = text.slice(from, end + uuidLength);
  return [...around.matchAll(uuid)].some(
    ({ index }) => from + index <= start && end <= from + index + uuidLength,
  );
}

/** Digits that may belong to one number: no two of them are further apart than `widestGap`. */
class Digits {
  readonly values: number[] = [];
  readonly places: number[] = [];
  /** How many characters stand before each digit, up to the one before it. */
  readonly gaps: number[] = [];
  /** Sums for Luhn's check of the digits before each place, with every odd or every even digit doubled. */
  readonly #oddSums: number[] = [0];
  readonly #evenSums: number[] = [0];

  add(value: number, place: number, gap: number): void {
    const at = this.values.length;
    const doubled = value > 4 ? value * 2 - 9 : value * 2;
    const isOdd = at % 2 === 1;
    this.#oddSums.push((this.#oddSums[at] ?? 0) + (isOdd ? doubled : value));
    this.#evenSums.push((this.#evenSums[at] ?? 0) + (isOdd ? value : doubled));
    this.values.push(value);
    this.places.push(place);
    this.gaps.push(gap);
  }

  passLuhn(start: number, end: number): boolean {
    const sums = end % 2 === 1 ? this.#oddSums : this.#evenSums;
    return ((sums[end] ?? 0) - (sums[start] ?? 0)) % 10 === 0;
  }

  /** Whose number the digits are; `undefined` if no issuer's. */
  issuer(start: number, end: number): Brand | 'other' | undefined {
    let prefix = 0;
    for (let at = start; at < start + prefixLength; at++) {
      prefix = prefix * 10 + (this.values[at] ?? 0);
    }
    const brand = brandOfPrefix(prefix, end - start);
    if (brand !== undefined) return brand;
    return isOfOtherIssuer(prefix, end - start) ? 'other' : undefined;
  }

  /** Whether a digit stands directly before a place. */
  joinsPrevious(at: number): boolean {
    return at > 0 && this.gaps[at] === 0;
  }

  /** The number of digits in the group that starts at a place, up to five. */
  groupSize(start: number): number {
    let size = start < this.values.length ? 1 : 0;
    while (size > 0 && size < 5 && this.gaps[start + size] === 0) size++;
    return size;
  }

  /** The numbers of digits in the groups of a number, and the widest gap between them. */
  groupsOf(start: number, end: number): { readonly sizes: number[]; readonly widest: number } {
    const sizes = [1];
    let widest = 0;
    for (let at = start + 1; at < end; at++) {
      const gap = this.gaps[at] ?? 0;
      if (gap === 0) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + 1;
      else sizes.push(1);
      widest = Math.max(widest, gap);
    }
    return { sizes, widest };
  }

  text(start: number, end: number): string {
    return this.values.slice(start, end).join('');
  }
}

function findInRun(
  codes: Codes,
  start: number,
  end: number,
  found: Secret[],
  counter: StepCounter | undefined,
): void {
  let digits = new Digits();
  let gap = 0;
  for (let at = start; at < end; at++) {
    if (counter !== undefined) counter.steps++;
    const meaning = meaningAt(codes, at);
    if (meaning === invisible) continue;
    if (!isDigit(meaning)) {
      gap++;
      continue;
    }
    if (gap > widestGap) {
      findInDigits(codes, digits, found, counter);
      digits = new Digits();
    }
    digits.add(meaning - digit0, at, gap);
    gap = 0;
  }
  findInDigits(codes, digits, found, counter);
}

/** Only the longest number at each start is needed. */
function findInDigits(
  codes: Codes,
  digits: Digits,
  found: Secret[],
  counter: StepCounter | undefined,
): void {
  const count = digits.values.length;
  for (let start = 0; start + shortest <= count; start++) {
    for (let end = Math.min(start + longest, count); end - start >= shortest; end--) {
      if (counter !== undefined) counter.steps++;
      if (!digits.passLuhn(start, end) || !isCardNumber(codes, digits, start, end)) continue;
      const last = end - 1;
      found.push({
        start: digits.places[start] ?? 0,
        end: (digits.places[last] ?? 0) + lengthAt(codes, digits.places[last] ?? 0),
        shown: digits.text(end - 4, end),
        isNumberInText: true,
      });
      break;
    }
  }
}

/** A digit outside the basic plane has two codes. */
function lengthAt(codes: Codes, at: number): number {
  return (codes[at] ?? 0) >= 0xd800 && (codes[at] ?? 0) < 0xdc00 ? 2 : 1;
}

/** Whether digits that pass Luhn's check are a card number and not a part of something else. */
function isCardNumber(codes: Codes, digits: Digits, start: number, end: number): boolean {
  const issuer = digits.issuer(start, end);
  if (issuer === undefined) return false;
  const isEmbedded = digits.joinsPrevious(start) || digits.joinsPrevious(end);
  // One number in seven starts like Maestro's, and Maestro has every length, so every long order number would contain one.
  const isWide = issuer === 'maestro' || issuer === 'other';
  if (isEmbedded && (isWide || end - start < 15)) return false;
  const { sizes, widest } = digits.groupsOf(start, end);
  if (isTelephoneNumber(codes, digits, start, end)) return false;
  if (sizes.length === 1) return true;
  // A last group of less than four digits could be a part of a longer one.
  const isLastWhole = !digits.joinsPrevious(end) || (sizes.at(-1) ?? 0) >= 4;
  const isPrinted = isLastWhole && isPrintedInGroups(sizes);
  if (widest === widestGap) return isPrinted;
  if (isEmbedded) return isPrinted || sizes.every((size) => size === 1);
  return !overlapsTelephoneNumberOrDate(digits, start, end);
}

/** The groups that cards show: 4-4-4-4, 4-4-4-4-3, 4-4-4-1, 4-6-5 and 4-6-4. */
function isPrintedInGroups(sizes: readonly number[]): boolean {
  if (['4-6-5', '4-6-4'].includes(sizes.join('-'))) return true;
  const last = sizes.at(-1) ?? 0;
  return sizes.length >= 4 && last <= 4 && sizes.slice(0, -1).every((size) => size === 4);
}

const plus = '+'.charCodeAt(0);
const longestTelephoneNumber = 13;

/** `+49 1512 3456789`: a plus sign and up to 13 digits. */
function isTelephoneNumber(codes: Codes, digits: Digits, start: number, end: number): boolean {
  return end - start <= longestTelephoneNumber && codes[(digits.places[start] ?? 0) - 1] === plus;
}

const telephoneForm = '3-3-4';
/** Where year, month and day start in three groups of these sizes. */
const dateForms: Readonly<
  Record<string, readonly (readonly [year: number, month: number, day: number])[]>
> = {
  '4-2-2': [[0, 4, 6]],
  '2-2-4': [
    [4, 2, 0],
    [4, 0, 2],
  ],
};
const formLength = 10;

/**
 * Whether digits share a group with a North American telephone number (408-555-0100) or with a date of this or the last
 * century (2026-11-24, 24.11.2026, 11/24/2026).
 */
function overlapsTelephoneNumberOrDate(digits: Digits, start: number, end: number): boolean {
  for (let at = Math.max(0, start - formLength); at < end; at++) {
    if (digits.joinsPrevious(at)) continue;
    const sizes = [digits.groupSize(at)];
    while (sizes.length < 3) sizes.push(digits.groupSize(at + sum(sizes)));
    if (at + sum(sizes) <= start) continue;
    const form = sizes.join('-');
    if (form === telephoneForm) return true;
    const isOfDate = (dateForms[form] ?? []).some(([year, month, day]) =>
      isDate(digits, at + year, at + month, at + day),
    );
    if (isOfDate) return true;
  }
  return false;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function isDate(digits: Digits, yearAt: number, monthAt: number, dayAt: number): boolean {
  const century = Number(digits.text(yearAt, yearAt + 2));
  const month = Number(digits.text(monthAt, monthAt + 2));
  const day = Number(digits.text(dayAt, dayAt + 2));
  const isCentury = century === 19 || century === 20;
  return isCentury && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
