/** Finds runs of digits and separators that are long enough for a card number. */
import { withCharCodes, type Codes } from './char-codes.ts';
import { isDigit, isLetter, meaningAt } from './characters.ts';

/** Digits of the shortest card number. */
export const shortest = 12;

/** A part of a text without letters. */
export interface DigitRun {
  readonly start: number;
  readonly end: number;
}

/**
 * The next run of digits and separators, from `from` on, with enough digits for a card number.
 *
 * Looks at every twelfth character until one is no letter: a long enough run cannot fit in between.
 */
export function nextDigitRun(codes: Codes, length: number, from: number): DigitRun | undefined {
  for (let at = from + shortest - 1; at < length; at += shortest) {
    if (isLetterAt(codes, at)) continue;
    let digits = 0;
    let start = at;
    while (start > from && !isLetterAt(codes, start - 1)) start--;
    // Fast path: nearly every run is too short, whatever it consists of.
    while (at < length && !isLetterAt(codes, at)) at++;
    if (at - start < shortest) continue;
    for (let place = start; place < at; place++) {
      if (isDigit(meaningAt(codes, place))) digits++;
    }
    if (digits >= shortest) return { start, end: at };
  }
  return undefined;
}

/** Whether a text has enough digits for a card number. Cheaper than looking at every character. */
export function hasManyDigits(text: string): boolean {
  if (text.length < shortest) return false;
  return withCharCodes(text, (codes, length) => nextDigitRun(codes, length, 0) !== undefined);
}

const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[a-z]/i.test(String.fromCharCode(code))),
);

function isLetterAt(codes: Codes, at: number): boolean {
  const code = codes[at] ?? 0;
  if (code < 128) return asciiLetters[code] === 1;
  return isLetter(meaningAt(codes, at));
}
