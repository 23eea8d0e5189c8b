/** Removes card data and credentials from texts before they are stored or written. */
import { findCardNumbers } from './card-numbers.ts';
import { shortest } from './digit-runs.ts';
import { findCredentials, findEncodedNumbers } from './credentials.ts';
import { redactWith, showAny, type Masking } from './hide-card-numbers.ts';
import type { Sightings } from './prefilter.ts';
import { redacted, type Secret } from './secret.ts';
import { findPlainCodes, findSecretFields } from './secret-fields.ts';

/**
 * Removes card numbers, verification codes, tokens and secrets from a text.
 *
 * Everything else stays byte for byte. Works for bodies, paths, queries, headers and arbitrary
 * bytes. The last four digits of a card number stay if `masking` agrees.
 *
 * @example redactText('{"number":"4417119669820331","cvv2":"874"}')
 * // '{"number":"xxxxxxxxxxxx0331","cvv2":"[redacted]"}'
 */
export function redactText(text: string, masking: Masking = showAny): string {
  return redactWith(findSecrets, text, masking);
}

/** The shortest text with a secret: a name and three digits. */
const shortestText = 6;

/** By ASCII code: what a character of plain text is. Other characters may encode something. */
const [space, letter, digit] = [1, 2, 3] as const;
const plainKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const one = String.fromCharCode(code);
  if (/[a-z]/i.test(one)) return letter;
  if (/\d/.test(one)) return digit;
  return " _.,:#@()'-".includes(one) ? space : 0;
});

/** The Base64 of a card number is longer. */
const longestWord = 15;

/**
 * Whether a text cannot contain a card number or a code: a card number has twelve digits, and a code has three and a
 * name. Nearly all names, words, dates and telephone numbers are plain.
 */
function isPlain(text: string): boolean {
  if (text.length < shortestText) return true;
  let letters = 0;
  let digits = 0;
  let word = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = plainKinds[text.charCodeAt(at)];
    if (kind === letter) letters++;
    else if (kind === digit) digits++;
    else if (kind !== space) return false;
    word = kind === space ? 0 : word + 1;
    if (word > longestWord) return false;
  }
  return digits < 3 || (letters === 0 && digits < shortest);
}

/**
 * Removes card numbers, and verification codes after their names, from free text that is kept and returned. Other
 * fields of a sentence stay, because they belong to the text.
 */
export function redactFreeText(text: string, masking: Masking = showAny): string {
  if (isPlain(text)) return text;
  return redactWith(findInFreeText, text, masking);
}

function findInFreeText(text: string, seen: Sightings): Secret[] {
  const found = seen.hasManyDigits ? findCardNumbers(text) : [];
  findEncodedNumbers(text, seen, found);
  findPlainCodes(text, seen, found);
  return found;
}

function findSecrets(text: string, seen: Sightings): Secret[] {
  const found = seen.hasManyDigits ? findCardNumbers(text) : [];
  findSecretFields(text, seen, found);
  findCredentials(text, seen, found);
  return found;
}

/** Redacts a text that may be absent. */
export function redactOptional(text: string | undefined, masking?: Masking): string | undefined {
  return text === undefined ? undefined : redactText(text, masking);
}

/**
 * Redacts a member's value, considering the member's name. Returns `redacted` if name and value
 * cannot be separated.
 */
export function redactMember(name: string, value: unknown, masking?: Masking): unknown {
  try {
    const member: object = JSON.parse(redactText(JSON.stringify({ [name]: value }), masking));
    const [left]: readonly unknown[] = Object.values(member);
    return left;
  } catch {
    return redacted;
  }
}
