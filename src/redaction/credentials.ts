/** Finds secrets without a field name: credentials after their scheme, and encoded card numbers. */
import { findCardNumbers } from './card-numbers.ts';
import { namesIn, type NameEnd } from './name-finder.ts';
import { base64Digits, type Sightings } from './prefilter.ts';
import { secretNames } from './secret-names.ts';
import type { Secret } from './secret.ts';

const schemeNames = secretNames.filter(({ kind }) => kind === 'scheme').map(({ word }) => word);

const scheme = new RegExp(String.raw`\b(${schemeNames.join('|')})[ +]+([\w.~+/=-]{4,})`, 'gi');

/** The two forms of digits in base64 that the prefilter looks for. */
const digitsInBase64 = new RegExp(
  base64Digits.map((places) => places.map((signs) => `[${signs}]`).join('')).join('|'),
  'g',
);
const base64Sign = /[\w+/-]/;

/** ASCII digits and what is written between them, in hexadecimal. */
const digitsInHex = /(?:3[\da-f]|[02][\da-f]|5[b-f]|7[b-f]){12,}/gi;

/** Adds credentials and encoded card numbers. */
export function findCredentials(text: string, seen: Sightings, found: Secret[]): void {
  if (seen.names.some(isScheme)) findSchemes(text, found);
  findEncodedNumbers(text, seen, found);
}

/** Adds card numbers in base64 and hexadecimal. */
export function findEncodedNumbers(text: string, seen: Sightings, found: Secret[]): void {
  if (seen.hasBase64) findInBase64(text, found);
  if (seen.hasHex) findInHex(text, found);
}

function isScheme({ state }: NameEnd): boolean {
  return namesIn(state).some(({ kind }) => kind === 'scheme');
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
  // Units of base64 can start at four places, and the text before may not belong to it.
  const examined = [0, 0, 0, 0];
  digitsInBase64.lastIndex = 0;
  for (let match = digitsInBase64.exec(text); match !== null; match = digitsInBase64.exec(text)) {
    digitsInBase64.lastIndex = match.index + 1;
    // The second form starts one place after the start of a unit.
    const index = /^[MNO]/.test(match[0]) ? match.index : match.index - 1;
    if (match.index < (examined[(index + 4) % 4] ?? 0)) continue;
    let start = match.index;
    while (base64Sign.test(text.charAt(start - 1))) start--;
    let end = match.index;
    while (base64Sign.test(text.charAt(end))) end++;
    examined[(index + 4) % 4] = end;
    const first = start + ((index - start + 4) % 4);
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
  return Buffer.from(base64, 'base64').toString('utf8');
}

function opaque(start: number, end: number): Secret {
  return { start, end, shown: '', isNumberInText: false };
}
