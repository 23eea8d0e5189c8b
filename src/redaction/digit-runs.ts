/** Finds runs of digits and separators that are long enough for a card number. */
import { withCharCodes, type Codes } from './char-codes.ts';

/** Digits of the shortest card number. */
export const shortest = 12;

const other = 0;
export const digit = 1;
export const separator = 2;

/** What people, forms and broken encodings write between the digits of a card number. */
const separators =
  ' .-_+\t\r\n\0\u00a0\u00ad\u00b7\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u200b\u200c\u200d\u200e\u200f\u2010\u2011\u2012\u2013\u2014\u2015\u2022\u2028\u2029\u202a\u202b\u202c\u202d' +
  '\u202e\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u2212\u3000\ufeff';

const asciiKinds = new Uint8Array(128);
asciiKinds.fill(digit, 48, 58);
for (const one of separators) {
  if (one.charCodeAt(0) < 128) asciiKinds[one.charCodeAt(0)] = separator;
}

/** The first code of other scripts' digits: Arabic, Persian and full-width. */
const [arabic, persian, fullWidth] = [0x660, 0x6f0, 0xff10];

/** In each script the last four bits of the code are the digit. */
function isDigitOfOthers(code: number): boolean {
  const row = code & ~0xf;
  return (code & 0xf) <= 9 && (row === arabic || row === persian || row === fullWidth);
}

/** Whether a character is a digit, a separator, or neither. */
export function kindOf(code: number | undefined): number {
  if (code === undefined) return other;
  if (code < 128) return asciiKinds[code] ?? other;
  if (isDigitOfOthers(code)) return digit;
  return separators.includes(String.fromCharCode(code)) ? separator : other;
}

interface DigitRun {
  readonly start: number;
  readonly end: number;
}

/**
 * The next run of digits and separators, from `from` on, with enough digits for a card number.
 *
 * Looks at every twelfth character until one is a digit or separator: a long enough run cannot fit
 * in between.
 */
export function nextDigitRun(codes: Codes, length: number, from: number): DigitRun | undefined {
  for (let at = from + shortest - 1; at < length; at += shortest) {
    if (kindOf(codes[at]) === other) continue;
    let digits = 0;
    let start = at;
    for (; start > from; start--) {
      const kind = kindOf(codes[start - 1]);
      if (kind === other) break;
      if (kind === digit) digits++;
    }
    for (; at < length; at++) {
      const kind = kindOf(codes[at]);
      if (kind === other) break;
      if (kind === digit) digits++;
    }
    if (digits >= shortest) return { start, end: at };
  }
  return undefined;
}

/** Whether a text has enough digits for a card number. Cheaper than looking at every character. */
export function hasManyDigits(text: string): boolean {
  return withCharCodes(text, (codes, length) => nextDigitRun(codes, length, 0) !== undefined);
}

/** Whether a run with enough digits for a card number has at least this length. */
export function hasDigitRunOf(stretchLength: number, text: string): boolean {
  return withCharCodes(text, (codes, length) => {
    let run = nextDigitRun(codes, length, 0);
    while (run !== undefined && run.end - run.start < stretchLength) {
      run = nextDigitRun(codes, length, run.end);
    }
    return run !== undefined;
  });
}
