/** Finds values of fields with card data or credentials, in JSON, forms, queries, XML, multipart, headers and prose. */
import { withCharCodes, type Codes } from './char-codes.ts';
import { invisible, isAlphanumeric, isDigit, meaningAt, sign } from './characters.ts';
import { contentOfPart, valueAt, valueOfTag, valuesBeside, type Value } from './field-values.ts';
import { fieldEnds, namesIn, type NameEnd } from './name-finder.ts';
import type { Sightings } from './prefilter.ts';
import { valueKeys, type SecretName } from './secret-names.ts';
import { areDigits, digitsOf, isMasked, redacted, type Secret } from './secret.ts';

/** A name in a text, and what follows it. */
interface Field {
  readonly name: SecretName;
  readonly start: number;
  /** The place after the last letter. */
  readonly end: number;
  readonly announced: Announcement;
}

/**
 * What follows a name: a sign; the end of a quoted text; a comma after that; spaces; or digits at once. Multipart forms
 * and tags count as quoted texts.
 */
interface Announcement {
  readonly kind: 'sign' | 'comma' | 'quote' | 'space' | 'digits';
  /** Where a value can start. */
  readonly at: number;
}

/** Between name and sign there may be this many other characters. */
const longestTail = 12;

/** Between two letters of a name there may be this many other characters. */
const widestSpacing = 3;

/** Characters that end the part of a text to which a name belongs. */
const tailEnds = '{},&<;';

const nothing: ReadonlySet<string> = new Set(['', redacted, 'null', 'true', 'false']);

/** Adds the values of all fields with the name of a secret. */
export function findSecretFields(text: string, { names }: Sightings, found: Secret[]): void {
  if (names.length === 0) return;
  const fields: Field[] = [];
  withCharCodes(text, (codes, length) => {
    for (const end of names) {
      const field = readName(text, codes, length, end);
      if (field !== undefined) fields.push(field);
    }
  });
  let done = 0;
  for (const field of fields) {
    if (field.end <= done) continue;
    for (const value of valuesOf(text, field)) {
      const secret = secretOf(text, field.name, value);
      if (secret === undefined) continue;
      found.push(secret);
      // Names inside a removed value announce nothing. Skipping them also keeps the search linear.
      if (value.start >= field.end) done = Math.max(done, value.end);
    }
  }
}

/**
 * Adds three or four digits after the name of a verification code, and lists and objects with digits. A gift card has a
 * value and a code too, so names that start with `card` are left out.
 */
export function findPlainCodes(text: string, { names, ...seen }: Sightings, found: Secret[]): void {
  const codes = names.filter(({ state }) => namesIn(state).some(isOnlyCode));
  const fields: Secret[] = [];
  findSecretFields(text, { ...seen, names: codes }, fields);
  found.push(
    ...fields.filter(
      ({ start, end }) =>
        plainCodeAt(text, start)?.end === end || isCodeInSigns(text.slice(start, end)),
    ),
  );
}

/** Whether a name always means a verification code. */
function isOnlyCode({ kind, word }: SecretName): boolean {
  return kind === 'code' && !word.startsWith('card');
}

/** Whether a value is a list or an object with digits, or three or four digits among signs. */
function isCodeInSigns(value: string): boolean {
  const digits = value.match(/\p{Nd}/gu)?.length ?? 0;
  if (/^[[{]/.test(value)) return digits > 0;
  return (digits === 3 || digits === 4) && !/\p{L}/u.test(value);
}

/** The name that ends at a place, if a value can follow: the longest one that fits. */
function readName(
  text: string,
  codes: Codes,
  length: number,
  { at, state }: NameEnd,
): Field | undefined {
  for (const name of namesIn(state)) {
    if (name.kind === 'scheme') continue;
    const start = startOfName(text, codes, at, name);
    if (start === undefined) continue;
    const announced = announcementAfter(text, codes, length, at + 1);
    // In an id, any letters can come before digits: only a whole word is a name there.
    if (announced?.kind === 'digits' && !(name.place === 'suffix' && isWordStart(codes, start)))
      return undefined;
    return announced && { name, start, end: at + 1, announced };
  }
  return undefined;
}

/** Where a name starts that ends at a place; `undefined` if its letters do not belong together. */
function startOfName(
  text: string,
  codes: Codes,
  end: number,
  { word, place }: SecretName,
): number | undefined {
  let start = end;
  let spacing = 0;
  for (let left = word.length - 1; left > 0;) {
    start--;
    const meaning = meaningAt(codes, start);
    if (isAlphanumeric(meaning)) {
      left--;
      spacing = 0;
    } else if (meaning !== invisible) {
      if (++spacing > widestSpacing || fieldEnds.includes(text.charAt(start))) return undefined;
    }
  }
  if (place === 'suffix') return start;
  const before = start === 0 ? '' : text.charAt(start - 1);
  if (!isWordStart(codes, start) && !isCamelCase(before, text[start])) return undefined;
  // A key is a whole one: `number`, and not `order_number`.
  return place === 'key' && /[\w-]/.test(before) ? undefined : start;
}

function isWordStart(codes: Codes, at: number): boolean {
  return at === 0 || !isAlphanumeric(meaningAt(codes, at - 1));
}

function isCamelCase(before: string, first = ''): boolean {
  return /[a-z\d]/.test(before) && /[A-Z]/.test(first);
}

/** Indexes after a key of a query: `cvv2[]=` and `card[cvv2][0]=`. */
const indexes = /\]?(?:\[\d{0,4}\])+/y;

/** What follows a name, after the rest of its key. */
function announcementAfter(
  text: string,
  codes: Codes,
  length: number,
  nameEnd: number,
): Announcement | undefined {
  indexes.lastIndex = nameEnd;
  const from = indexes.test(text) ? indexes.lastIndex : nameEnd;
  let quoteAt: number | undefined;
  let isLineOver = false;
  for (let at = from; at < length && at < from + longestTail; at++) {
    const meaning = meaningAt(codes, at);
    const one = text.charAt(at);
    const isQuoted = quoteAt !== undefined;
    if (isAlphanumeric(meaning)) {
      if (at === from) return isDigit(meaning) ? { kind: 'digits', at } : undefined;
      return isQuoted || isLineOver
        ? { kind: 'quote', at: quoteAt ?? from }
        : { kind: 'space', at };
    }
    if (quoteAt !== undefined && '}>/)'.includes(one)) return { kind: 'quote', at: quoteAt };
    if (meaning === sign) return { kind: 'sign', at: afterSigns(codes, length, at) };
    if (isQuoted && one === ',') return { kind: 'comma', at: at + 1 };
    if (tailEnds.includes(one)) return undefined;
    if (one === '"' || one === "'") quoteAt ??= at;
    if (one === '\n') isLineOver = true;
  }
  return quoteAt === undefined ? undefined : { kind: 'quote', at: quoteAt };
}

/** Two signs are one: `=>` and `==`. */
function afterSigns(codes: Codes, length: number, from: number): number {
  let at = from + 1;
  while (at < length && meaningAt(codes, at) === sign) at++;
  return at;
}

/** The values that a name announces. */
function valuesOf(text: string, field: Field): readonly Value[] {
  const { name, start, announced } = field;
  const { kind, at } = announced;
  switch (kind) {
    case 'sign':
      return isAnnouncedBySign(text, field) ? present(valueAt(text, at)) : [];
    case 'space':
      if (openingTag.test(textBefore(text, start))) return present(valueOfTag(text, at));
      return isOnlyCode(name) ? present(plainCodeAt(text, afterVerb(text, at))) : [];
    case 'digits':
      return isOnlyCode(name) ? present(plainCodeAt(text, at)) : [];
    default:
      return name.kind === 'number' ? [] : valuesOfQuoted(text, field);
  }
}

const openingQuoteBefore = /\\*(["'])[^"']{0,80}$/;
const widestQuoted = 100;
const nestedStart = /\s*[[{]/y;
const openingTag = /<[\w.-]{0,60}:?$/;
const closingTag = /<\/[\w.:-]{0,60}$/;
const memberStart = /[{,]\s*$/;

function textBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - widestQuoted), at);
}

/** Whether a sign after a name announces a value of it, and the text is not prose or a closing tag. */
function isAnnouncedBySign(text: string, { name, start, end, announced: { at } }: Field): boolean {
  const before = textBefore(text, start);
  if (before.includes('</') && closingTag.test(before)) return false;
  if (name.needsDigits) return plainCodeAt(text, at) !== undefined;
  if (name.kind === 'client-secret') {
    nestedStart.lastIndex = at;
    return !nestedStart.test(text);
  }
  if (name.place !== 'key') return true;
  // `number` has many other meanings, so it must look like a field.
  return (
    /^(?:["'\]\\]|\s*=)/.test(text.slice(end, end + 4)) ||
    before.endsWith('<') ||
    memberStart.test(before)
  );
}

/** The values of a name that is a quoted text itself: in a pair, in a member that names another one, or in a tag. */
function valuesOfQuoted(
  text: string,
  { name, start, announced: { kind, at } }: Field,
): readonly Value[] {
  const before = textBefore(text, start);
  const quoted = openingQuoteBefore.exec(before);
  const head = before.slice(0, quoted?.index).trimEnd();
  if (kind === 'comma' && head.endsWith('[')) return present(valueAt(text, at));
  if (kind === 'comma' && head.endsWith(',') && name.kind === 'code')
    return present(plainCodeAt(text, at));
  if (head.endsWith(':'))
    return valuesBeside(text, start - before.length + head.length - 1, valueKeys);
  if (!head.endsWith('=') && quoted !== null) return [];
  const tag = valueOfTag(text, at);
  return present(tag ?? contentOfPart(text, at));
}

function present(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

/** Between a name and its value in a sentence: `cvv2 is 941`. */
const verb = /is\s+/iy;

function afterVerb(text: string, at: number): number {
  verb.lastIndex = at;
  return verb.test(text) ? verb.lastIndex : at;
}

const plainCode = /[\s"'\\[]*([\p{Nd}\p{M}\p{Cf}]{3,12})(?![\p{L}\p{N}])/uy;

/** Three or four digits at a place, possibly quoted. */
function plainCodeAt(text: string, at: number): Value | undefined {
  plainCode.lastIndex = at;
  const [, code = ''] = plainCode.exec(text) ?? [];
  const digits = code.replaceAll(/\P{Nd}/gu, '');
  if (!/^.{3,4}$/u.test(digits)) return undefined;
  const end = plainCode.lastIndex;
  return { start: end - code.length, end, form: 'bare' };
}

/** The part of a value that must not be kept; `undefined` if it is harmless. */
function secretOf(text: string, name: SecretName, { start, end }: Value): Secret | undefined {
  const content = text.slice(start, end);
  const isNumber = name.kind === 'number';
  if (nothing.has(content) || (isNumber && isMasked(content))) return undefined;
  return { start, end, shown: isNumber ? lastFourOf(content) : '', isNumberInText: false };
}

/** Shows the last four only of a number: the end of any other text could reveal too much. */
function lastFourOf(content: string): string {
  if (!areDigits(content) && !/^[\d .+-]+$/.test(content)) return '';
  const digits = digitsOf(content);
  return digits.length < 12 ? '' : digits.slice(-4);
}
