/** A part of a text that must not be kept. */

export interface Secret {
  readonly start: number;
  readonly end: number;
  /** Digits that may still be shown: the last four of a card number, or none. */
  readonly shown: string;
  /** Whether it is a card number that was found by its digits. The value of a field is a secret by the field's name. */
  readonly isNumberInText: boolean;
}

/**
 * Returns what follows the mask of a card number in a text, so that numbers that look alike behind it stay apart; '' for
 * nothing.
 */
export type MarkOfNumber = (number: string, mask: string) => string;

/** The replacement for a secret. */
export const redacted = '[redacted]';

const allDigits = /^[0-9]+$/;

/** Comes before the last four digits. It always has the usual length, so it does not show the length of the number. */
export const numberMask = 'x'.repeat(12);

const masked = /^x{8,}\d{0,4}$/;

/** Whether a text looks like a masked card number, from here or from a response. */
export function isMasked(text: string): boolean {
  return text.startsWith('x') && masked.test(text);
}

/**
 * The ASCII digits of a text. Digits of other scripts are dropped, so such a number matches no list
 * and is hidden completely.
 */
export function digitsOf(text: string): string {
  return areDigits(text) ? text : text.replaceAll(/\D/g, '');
}

/** Whether a text consists of ASCII digits, like nearly every card number. */
export function areDigits(text: string): boolean {
  return allDigits.test(text);
}

/** Whether a text that was not redacted yet already contains a mask. */
export function containsMask(text: string): boolean {
  return text.includes('xxxxxxxx') || text.includes(redacted);
}

/** Replaces the secrets in a text. They may overlap. */
export function removeSecrets(
  text: string,
  secrets: readonly Secret[],
  markOf: MarkOfNumber,
): string {
  const parts: string[] = [];
  let end = 0;
  for (const secret of mergeOverlapping(secrets)) {
    const mask = secret.shown === '' ? redacted : numberMask + secret.shown;
    parts.push(text.slice(end, secret.start), mask);
    if (secret.isNumberInText)
      parts.push(markOf(digitsOf(text.slice(secret.start, secret.end)), mask));
    end = secret.end;
  }
  parts.push(text.slice(end));
  // `join` creates a new string: slices would keep the whole text in memory.
  return parts.join('');
}

/**
 * Whether each secret is a complete JSON string. No secret extends past a closing quote, so masking
 * a complete string cannot create a new match.
 */
export function areWholeStrings(secrets: readonly Secret[], text: string): boolean {
  return secrets.every(({ start, end }) => text[start - 1] === '"' && text[end] === '"');
}

/**
 * A JSON string, possibly truncated; or a mask in place of a value, with the rest of a longer
 * number.
 */
const stringOrMask =
  /"(?:[^"\\]|\\[^]?)*(?:"|$)|([:,[]\s*)((?:[\d.+-]*(?:x{12}|\[redacted\])(?:\d{4})?(?:\([a-z]+\))?)+[\d.+\-e]*)(?=\s*(?:[,\]}]|$))/gi;

/**
 * Adds quotes around a mask where JSON needs them. A masked number would otherwise make the text
 * unreadable.
 */
export function quoteMasks(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  return text.replaceAll(stringOrMask, (whole: string, before?: string, bare?: string) =>
    before === undefined || bare === undefined ? whole : `${before}"${bare}"`,
  );
}

function mergeOverlapping(secrets: readonly Secret[]): Secret[] {
  const whole: Secret[] = [];
  for (const secret of sortByStart(secrets)) {
    const last = whole.at(-1);
    if (last === undefined || secret.start >= last.end) whole.push(secret);
    else whole[whole.length - 1] = mergePair(last, secret);
  }
  return whole;
}

/** Secrets are nearly always sorted already: a body has its number before its code. */
function sortByStart(secrets: readonly Secret[]): readonly Secret[] {
  let before = 0;
  for (const { start } of secrets) {
    if (start < before) return secrets.toSorted((one, other) => one.start - other.start);
    before = start;
  }
  return secrets;
}

/**
 * Merges two secrets. Of two overlapping card numbers, the last four are those of the one that ends
 * later.
 */
function mergePair(one: Secret, other: Secret): Secret {
  const later = other.end > one.end ? other : one;
  const opaque = one.shown === '' || other.shown === '';
  return {
    start: one.start,
    end: later.end,
    shown: opaque ? '' : later.shown,
    isNumberInText: one.isNumberInText && other.isNumberInText,
  };
}
