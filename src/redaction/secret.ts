/** A part of a text that must not be kept. */

export interface Secret {
  readonly start: number;
  readonly end: number;
  /** Digits that may still be shown: the last four of a card number, or nothing. */
  readonly shown: string;
}

/** What stands in the place of a secret. */
export const redacted = '[redacted]';

const allDigits = /^[0-9]+$/;

/** Stands before the last four of a card number; as long as most have it, whatever the length of the one there. */
export const numberMask = 'x'.repeat(12);

const masked = /^x{8,}\d{0,4}$/;

/** Whether a text looks like a card number that is masked, here or in answers of the service. */
export function isMasked(text: string): boolean {
  return text.startsWith('x') && masked.test(text);
}

/** Digits of other scripts are no match for any list, so a number in them is shown to nobody who asks for one. */
export function digitsOf(text: string): string {
  return areDigits(text) ? text : text.replaceAll(/\D/g, '');
}

/** Whether it is digits of ASCII alone, as nearly every number is written. */
export function areDigits(text: string): boolean {
  return allDigits.test(text);
}

/** Whether a text that was not redacted yet holds what redaction leaves behind. */
export function containsMask(text: string): boolean {
  return text.includes('xxxxxxxx') || text.includes(redacted);
}

/** Takes the secrets out of a text. They may overlap. */
export function removeSecrets(text: string, secrets: readonly Secret[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const secret of mergeOverlapping(secrets)) {
    const instead = secret.shown === '' ? redacted : numberMask + secret.shown;
    parts.push(text.slice(end, secret.start), instead);
    end = secret.end;
  }
  parts.push(text.slice(end));
  // `join` writes a new flat string: slices would keep the whole text alive behind what is left of it.
  return parts.join('');
}

/**
 * Whether each is all of a string. Nothing that reads as a secret goes past a quote that closes it, so a mask for
 * all of a string turns nothing into one.
 */
export function areWholeStrings(secrets: readonly Secret[], text: string): boolean {
  return secrets.every(({ start, end }) => text[start - 1] === '"' && text[end] === '"');
}

/** A string of JSON, also one that was cut; or a mask in the place of a value, with what is left of a longer number. */
const stringOrMask =
  /"(?:[^"\\]|\\[^]?)*(?:"|$)|([:,[]\s*)((?:[\d.+-]*(?:x{12}|\[redacted\]))+[\d.+\-e]*)(?=\s*(?:[,\]}]|$))/gi;

/** Writes quotes around a mask where JSON would need them: what was a number would leave a text that nobody can read. */
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

/** They nearly always are: a body has its number before its code. */
function sortByStart(secrets: readonly Secret[]): readonly Secret[] {
  let before = 0;
  for (const { start } of secrets) {
    if (start < before) return secrets.toSorted((one, other) => one.start - other.start);
    before = start;
  }
  return secrets;
}

/** Of two card numbers that share digits, the last four are those of the one that ends later. */
function mergePair(one: Secret, other: Secret): Secret {
  const later = other.end > one.end ? other : one;
  const opaque = one.shown === '' || other.shown === '';
  return {
    start: one.start,
    end: later.end,
    shown: opaque ? '' : later.shown,
  };
}
