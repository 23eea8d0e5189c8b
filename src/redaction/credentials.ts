/** Finds secrets without a field name: credentials after their scheme, and encoded card numbers. */
import { findCardNumbers } from './card-numbers.ts';
import { hasMatch, sight, type Sightings } from './prefilter.ts';
import { anyOf, secretNames } from './secret-names.ts';
import type { Secret } from './secret.ts';
import { hasDigitRunOf } from './digit-runs.ts';

const scheme = new RegExp(
  String.raw`\b(${anyOf(secretNames.bearer, secretNames.basic)})[ +]+([\w.~+/=-]{4,})`,
  'gi',
);

/**
 * Three groups of three digits or separators in base64. Every base64 text of twelve digits contains
 * this, and hardly any other text does.
 */
const digitsInBase64 = /(?:[MNOIL][CDSTijyz][AEIMQUYcgk04][w-z0-5gtu]){3}/g;
const base64Sign = /[\w+/-]/;

/**
 * Digits and spaces in hexadecimal. Each is two digits itself, so a search for card numbers sees
 * them.
 */
const digitsInHex = /(?:3[0-9]|20){12,}/g;
const shortestHex = 24;

/** Whether a credential may follow a scheme, or base64 may contain a card number. */
export function hasCredential(text: string, seen: Sightings): boolean {
  return (
    ((seen & sight.scheme) !== 0 && hasMatch(scheme, text)) ||
    ((seen & sight.base64) !== 0 && hasMatch(digitsInBase64, text))
  );
}

/** Adds credentials and encoded card numbers. */
export function findCredentials(text: string, seen: Sightings, found: Secret[]): void {
  if ((seen & sight.scheme) !== 0) findSchemes(text, found);
  if ((seen & sight.base64) !== 0) findInBase64(text, found);
  if ((seen & sight.manyDigits) !== 0 && hasDigitRunOf(shortestHex, text)) findInHex(text, found);
}

function findSchemes(text: string, found: Secret[]): void {
  scheme.lastIndex = 0;
  for (let match = scheme.exec(text); match !== null; match = scheme.exec(text)) {
    const [, name = '', token = ''] = match;
    const end = scheme.lastIndex;
    if (isToken(name.toLowerCase(), token)) found.push(opaque(end - token.length, end));
  }
}

/** Tells a token from other words: merchants sell a `Basic subscription`. */
function isToken(name: string, token: string): boolean {
  return name === 'basic'
    ? /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded(token))
    : token.length > 5 && /[\d._~]/.test(token.slice(0, -1));
}

function findInBase64(text: string, found: Secret[]): void {
  // Base64 groups can start at four places, and the text before may not belong to it.
  const examined = [0, 0, 0, 0];
  digitsInBase64.lastIndex = 0;
  for (let match = digitsInBase64.exec(text); match !== null; match = digitsInBase64.exec(text)) {
    const { index } = match;
    digitsInBase64.lastIndex = index + 1;
    if (index < (examined[index % 4] ?? 0)) continue;
    let start = index;
    while (base64Sign.test(text.charAt(start - 1))) start--;
    let end = index;
    while (base64Sign.test(text.charAt(end))) end++;
    examined[index % 4] = end;
    const first = start + ((index - start) % 4);
    if (findCardNumbers(decoded(text.slice(first, end))).length === 0) continue;
    while (text.charAt(end) === '=') end++;
    found.push(opaque(start, end));
  }
}

function findInHex(text: string, found: Secret[]): void {
  digitsInHex.lastIndex = 0;
  for (let match = digitsInHex.exec(text); match !== null; match = digitsInHex.exec(text)) {
    const [hex] = match;
    const digits = Buffer.from(hex, 'hex').toString('latin1');
    if (findCardNumbers(digits).length === 0) continue;
    found.push(opaque(match.index, match.index + hex.length));
  }
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function opaque(start: number, end: number): Secret {
  return { start, end, shown: '' };
}
