/** Finds what is secret wherever it stands: credentials after their scheme, and card numbers inside base64. */
import { findCardNumbers } from './card-numbers.ts';
import type { Secret } from './secret.ts';

const scheme = /\b(bearer|basic)[ +]+([\w.~+/=-]{6,})/gi;
const anyScheme = /(?:bearer|basic)[ +]/i;

/**
 * How base64 writes three digits or separators, four times over: no text of digits is without it, whatever stands
 * around it, and hardly any other text has it.
 */
const digitsInBase64 = /(?:[MNOIL][CDSTijyz][AEIMQUYcgk04][w-z0-5gtu]){3}/g;
const noDigitsInBase64 = new RegExp(digitsInBase64.source);
const base64Sign = /[\w+/=-]/;

/** Characters of base64 that hold the longest number, with separators, and what stands before its first whole group. */
const reach = 64;

/** Whether there could be any. */
export function hasCredential(text: string): boolean {
  return noDigitsInBase64.test(text) || anyScheme.test(text);
}

export function findCredentials(text: string): Secret[] {
  return [...findSchemes(text), ...findInBase64(text)];
}

function findSchemes(text: string): Secret[] {
  const found: Secret[] = [];
  for (const { 0: whole, 1: name = '', 2: token = '', index } of text.matchAll(scheme)) {
    if (isToken(name.toLowerCase(), token)) {
      const end = index + whole.length;
      found.push(opaque(end - token.length, end));
    }
  }
  return found;
}

/** Merchants sell a `Basic subscription`; what is no credential must come through. */
function isToken(name: string, token: string): boolean {
  return name === 'basic'
    ? /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded(token))
    : /[\d._~]/.test(token.slice(0, -1));
}

function findInBase64(text: string): Secret[] {
  const found: Secret[] = [];
  digitsInBase64.lastIndex = 0;
  for (let match = digitsInBase64.exec(text); match !== null; match = digitsInBase64.exec(text)) {
    const { index } = match;
    let start = index;
    while (base64Sign.test(text.charAt(start - 1))) start--;
    let end = index;
    while (base64Sign.test(text.charAt(end))) end++;
    // Groups of four are whole only when counted from the match: what stands before may be no part of the base64.
    const from = index - start < 4 ? index : index - 4;
    if (findCardNumbers(decoded(text.slice(from, Math.min(end, index + reach)))).length > 0) {
      found.push(opaque(start, end));
      digitsInBase64.lastIndex = end;
    } else {
      digitsInBase64.lastIndex = index + 1;
    }
  }
  return found;
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function opaque(start: number, end: number): Secret {
  return { start, end, shown: '', quoted: false };
}
