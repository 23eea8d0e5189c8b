/** Finds the values of fields that hold card data or credentials, in JSON, forms, queries and headers. */
import { masked, redacted, type Secret } from './secret.ts';

/** `number` stands for much else in plain language, so it must look like a field: not `invoice_number`, not prose. */
const numberNames = String.raw`card[_-]?number|(?<![\w-])number(?:(?=["'\]\\]|\s*=)|(?<=[{,]\s*number)(?=\s*:))`;
const codeNames = String.raw`cvv2?|cvc2?|(?<![a-z0-9])(?:cid|csc)|security[_-]?code`;
const credentialNames = 'client[_-]?secret|(?:access|refresh)[_-]?token|authorization';

/** A field's name, what closes it, and the sign before its value. */
const field = String.raw`(["'\]\\]*)\s*([:=])\s*`;
const member = new RegExp(`(?:(${numberNames})|(${codeNames})|(${credentialNames}))${field}`, 'gi');

/**
 * Two tests are quicker than one: the search leaps by the length of the shortest name. Objects are no credentials, and
 * what was masked before is none of a secret's.
 */
const longNames =
  /number(?<=card[_-]?number|(?<![\w-])number)["'\]\\]*\s*[:=](?!\s*["']x{8})|security[_-]?code["'\]\\]*\s*[:=]|(?:client[_-]?secret|(?:access|refresh)[_-]?token|authorization)["'\]\\]*\s*[:=](?!\s*[{[])/i;
const shortNames = /(?:cvv2?|cvc2?|cid|csc)["'\]\\]*\s*[:=](?!"\[redacted\]")/i;

const openingQuote = /\\*["']/y;
const bareValue = /(?:(?:bearer|basic)[ +]+)?[^\s"'&;,<>{}()[\]\\]+(?:(?<=\d) \d+)*/iy;
const nothing = /^(?:null|true|false)$/;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly form: 'quoted' | 'bare' | 'nested';
}

/** Whether a field of such a name is there at all. */
export function hasSecretField(text: string): boolean {
  return longNames.test(text) || shortNames.test(text);
}

/** The values of all such fields. */
export function findSecretFields(text: string): Secret[] {
  const found: Secret[] = [];
  member.lastIndex = 0;
  for (let match = member.exec(text); match !== null; match = member.exec(text)) {
    const [, numberName, , credentialName, closing, sign] = match;
    const value = valueAt(text, member.lastIndex);
    if (value === undefined || (value.form === 'nested' && credentialName !== undefined)) continue;
    member.lastIndex = value.end;
    const content = text.slice(value.start, value.end);
    if (isHarmless(content, numberName !== undefined)) continue;
    const inJson = closing !== '' && sign === ':';
    found.push({
      start: value.start,
      end: value.end,
      shown: numberName === undefined ? '' : lastFourOf(content),
      quoted: value.form === 'nested' || (value.form === 'bare' && inJson),
    });
  }
  return found;
}

function isHarmless(content: string, isNumber: boolean): boolean {
  return (
    content === '' ||
    content === redacted ||
    nothing.test(content) ||
    (isNumber && masked.test(content))
  );
}

/** Shown only of what is a number: the last characters of anything else say more than they should. */
function lastFourOf(content: string): string {
  if (!/^[\d .+-]+$/.test(content)) return '';
  const digits = content.replaceAll(/\D/g, '');
  return digits.length < 12 ? '' : digits.slice(-4);
}

function valueAt(text: string, at: number): Value | undefined {
  if (text.startsWith(redacted, at)) return undefined;
  openingQuote.lastIndex = at;
  const [quote] = openingQuote.exec(text) ?? [];
  if (quote !== undefined) {
    const start = at + quote.length;
    return { start, end: endOfQuoted(text, start, quote), form: 'quoted' };
  }
  if (text[at] === '[' || text[at] === '{') {
    return { start: at, end: endOfNested(text, at), form: 'nested' };
  }
  bareValue.lastIndex = at;
  const [bare] = bareValue.exec(text) ?? [];
  return bare === undefined ? undefined : { start: at, end: at + bare.length, form: 'bare' };
}

/** A text without a closing quote was cut: then all of the rest is the value. */
function endOfQuoted(text: string, start: number, quote: string): number {
  if (quote.length > 1) {
    const end = text.indexOf(quote, start);
    return end < 0 ? text.length : end;
  }
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const one = text[at];
    if (one === '"') at = endOfQuoted(text, at + 1, '"');
    else if (one === '[' || one === '{') depth++;
    else if ((one === ']' || one === '}') && --depth === 0) return at + 1;
  }
  return text.length;
}
