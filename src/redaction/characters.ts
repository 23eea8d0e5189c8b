/**
 * Reads any character as what it means in a card number or a field name.
 *
 * Characters are classes, not lists: `\p{Nd}` after compatibility normalization is a digit, a letter counts without its
 * case and accents, and everything else is a separator.
 */
import type { Codes } from './char-codes.ts';

/**
 * The meaning of a character. ASCII digits and lower-case letters stand for themselves, as character codes; the other
 * meanings are smaller numbers.
 */
export type Meaning = number;

/** A letter or number of no use here, such as a letter of another alphabet. It ends words and digits. */
export const otherLetter: Meaning = 1;
/** Neither letter nor digit: may stand between the groups of a card number. */
export const separator: Meaning = 2;
/** Takes no space: combining marks, bidi controls, variation selectors, zero-width characters. */
export const invisible: Meaning = 3;
/** A separator that announces the value of a field: `:`, `=` and `>`. */
export const sign: Meaning = 4;

export const [digit0, digit9, letterA] = [48, 57, 97] as const;

/**
 * Characters that Unicode calls letters and people write as a dash, a bar or a dot: CJK one, Hangul EU, clicks, and
 * a middle dot for transcriptions. Modifier letters, such as the long vowel mark, are separators as a class.
 */
const separatorLookAlikes = '\u4e00\u3161\u31d0\u01c0\u01c1\ua78f';

/** The first of nine digits in circles, which normalization does not change: each range starts with 1. */
const circledOnes = [0x24f5, 0x2776, 0x2780, 0x278a] as const;
const circledZeros: ReadonlySet<number> = new Set([0x24ff, 0x1f10b, 0x1f10c]);

const invisibleClass = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const letterClass = /[\p{L}\p{N}]/u;
const modifierClass = /^\p{Lm}$/u;
const digitClass = /^\p{Nd}$/u;
/** One digit or letter, possibly with marks around it, such as a digit in brackets. */
const oneLetter = /^[^\p{L}\p{N}]*([0-9a-z])[^\p{L}\p{N}]*$/iu;

/** Meanings by UTF-16 code, filled on first use; 0 is unknown. */
const known = new Uint8Array(0x1_0000);
for (let code = 0; code < 128; code++) known[code] = classify(String.fromCharCode(code));

/** Meanings of characters of two codes. */
const knownPairs = new Map<number, Meaning>();
const maxKnownPairs = 2_000;

/** The meaning of the character at a place. The second code of a pair is invisible. */
export function meaningAt(codes: Codes, at: number): Meaning {
  const code = codes[at] ?? 0;
  const meaning = known[code] ?? 0;
  if (meaning !== 0) return meaning;
  if (code >= 0xd800 && code < 0xe000) return meaningInPair(codes, at);
  return (known[code] = classify(String.fromCharCode(code)));
}

export function isDigit(meaning: Meaning): boolean {
  return meaning >= digit0 && meaning <= digit9;
}

/** Whether a character is a letter, of any alphabet. */
export function isLetter(meaning: Meaning): boolean {
  return meaning >= letterA || meaning === otherLetter;
}

/** Whether a character is a letter or a digit. */
export function isAlphanumeric(meaning: Meaning): boolean {
  return meaning >= digit0 || meaning === otherLetter;
}

function meaningInPair(codes: Codes, at: number): Meaning {
  const isSecond = (codes[at] ?? 0) >= 0xdc00;
  const first = codes[isSecond ? at - 1 : at] ?? 0;
  const second = codes[isSecond ? at : at + 1] ?? 0;
  const isPair = first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
  if (!isPair) return separator;
  const meaning = meaningOfPair((first - 0xd800) * 0x400 + (second - 0xdc00) + 0x1_0000);
  return isSecond && meaning !== otherLetter ? invisible : meaning;
}

function meaningOfPair(point: number): Meaning {
  let meaning = knownPairs.get(point);
  if (meaning === undefined) {
    meaning = classify(String.fromCodePoint(point));
    if (knownPairs.size >= maxKnownPairs) knownPairs.clear();
    knownPairs.set(point, meaning);
  }
  return meaning;
}

function classify(character: string): Meaning {
  const point = character.codePointAt(0) ?? 0;
  if (digitClass.test(character)) return digit0 + digitValue(point);
  if (separatorLookAlikes.includes(character)) return separator;
  if (invisibleClass.test(character)) return invisible;
  const circled = circledOnes.find((one) => one <= point && point < one + 9);
  if (circled !== undefined) return digit0 + 1 + point - circled;
  if (circledZeros.has(point)) return digit0;
  // Compatibility forms and accents are removed.
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const [, letter] = oneLetter.exec(plain) ?? [];
  if (letter !== undefined) return letter.toLowerCase().charCodeAt(0);
  if (modifierClass.test(character)) return separator;
  if (letterClass.test(plain)) return otherLetter;
  return /^[:=>]$/.test(plain) ? sign : separator;
}

/** Digits of every script stand in blocks of ten, in order. */
function digitValue(point: number): number {
  let before = 0;
  while (digitClass.test(String.fromCodePoint(point - 1 - before))) before++;
  return before % 10;
}
