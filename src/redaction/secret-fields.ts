/** Finds values of fields with card data or credentials, in JSON, forms, queries and headers. */
import { hasMatch, sight, type Sightings } from './prefilter.ts';
import { anyOf, codeEnding, secretNames } from './secret-names.ts';
import { areDigits, digitsOf, isMasked, redacted, type Secret } from './secret.ts';

/** Field names of one kind. */
interface Names {
  readonly kind: 'number' | 'code' | 'credential';
  /** What the prefilter must report: something of each. */
  readonly sights: readonly Sightings[];
  /** Matches each field up to its value, unless the value has nothing to hide. */
  readonly all: RegExp;
}

/**
 * What comes between name and value: `:`, `=` or `>`, or the empty line of a multipart form. A sign
 * after that line takes precedence.
 */
const sign = String.raw`(?:["'\]\\]*\s*[:=>]|["']?(?:\r?\n){2}(?!\s*[:=>]))`;

function namesOf(kind: Names['kind'], seen: Sightings, name: string, nothingToHide: string): Names {
  const all = new RegExp(String.raw`(?:${name})${sign}(?!\s*${nothingToHide})\s*`, 'gi');
  return { kind, sights: [seen], all };
}

const digitsOfCode = String.raw`(?=["'\]\\]*\s*[:=]\s*["'\\]*\d{3,4}(?!\d))`;

const shortCodes = anyOf(secretNames.shortCodes);
/**
 * `cvv_code` is a code only where digits follow: others report the result of the check by that
 * name.
 */
const codeSuffix = String.raw`(?:[_-]?(?:code|number|value)${digitsOfCode})?`;
const wholeWordCodes = String.raw`(?<![a-z0-9])(?:${anyOf(secretNames.wholeWordCodes)}|(?:${anyOf(secretNames.cvn)})2?)`;
const shortCodeNames = String.raw`(?:${shortCodes})(?:[_-]?2)?${codeSuffix}|(?:${anyOf(secretNames.cvc)})2?|${wholeWordCodes}`;
const longCodeNames = `(?:${anyOf(secretNames.codePurposes)})${codeEnding}|${anyOf(secretNames.cardCodes)}`;
const codeNames = `${shortCodeNames}|${longCodeNames}`;

/** Members of a JSON object between the field's name and its value. */
const otherMembers = String.raw`(?:,\s*"\w+"\s*:\s*"[^"]*"\s*){0,3}`;

/**
 * A patch, or a list of fields, gives the field's name in a separate value, before or after the new
 * value.
 */
const codePath = String.raw`(?:${anyOf(secretNames.namingMembers)})\s*:\s*"[^"]*(?:${codeNames})"`;
const patched: Names = {
  kind: 'code',
  sights: [sight.naming, sight.shortCode | sight.longCode | sight.cardCode],
  all: new RegExp(
    String.raw`(?:${codePath}\s*${otherMembers},\s*"value"|"value"(?=\s*:\s*(?:"[^"]*"|[\w.]+)\s*${otherMembers},\s*${codePath}))\s*:\s*`,
    'gi',
  ),
};

const numberName = anyOf(secretNames.number);

/**
 * `number` has many other meanings, so it must look like a field: not `invoice_number`, not prose.
 */
const likeField = String.raw`(?=["'\]\\]|\s*=)|(?<=[{,]\s*(?:${numberName}))(?=\s*:)`;

const kinds: readonly Names[] = [
  namesOf(
    'number',
    sight.number,
    // A lookbehind at the end keeps the search for the plain word fast.
    String.raw`(?:${numberName})(?:(?<=card[_-]?(?:${numberName}))|(?<![\w-](?:${numberName}))(?:${likeField}))`,
    String.raw`["']x{8,}\d{0,4}["']`,
  ),
  namesOf('code', sight.shortCode, shortCodeNames, String.raw`"\[redacted\]"`),
  namesOf('code', sight.longCode | sight.cardCode, longCodeNames, String.raw`"\[redacted\]"`),
  namesOf(
    'credential',
    sight.credential,
    `client[_-]?(?:${anyOf(secretNames.clientSecret)})|(?:access|refresh)[_-]?(?:${anyOf(secretNames.tokens)})|${anyOf(secretNames.authorization)}`,
    // Objects are not credentials.
    '[{[]',
  ),
  patched,
];

const openingQuote = /\\*["']/y;
const bareValue = new RegExp(
  String.raw`(?:(?:${anyOf(secretNames.bearer, secretNames.basic)})[ +]+)?[^\s"'&;,<>{}()[\]\\]+(?:(?<=\d) \d+)*`,
  'iy',
);
const nothing: ReadonlySet<string> = new Set(['', redacted, 'null', 'true', 'false']);

interface Value {
  readonly start: number;
  readonly end: number;
  readonly form: 'quoted' | 'bare' | 'nested';
}

/** Whether there is a field with such a name, followed by a colon or equals sign. */
export function hasSecretField(text: string, seen: Sightings): boolean {
  return kinds.some((names) => isSeen(names, seen) && hasMatch(names.all, text));
}

/** Adds the values of all such fields. */
export function findSecretFields(text: string, seen: Sightings, found: Secret[]): void {
  for (const names of kinds) if (isSeen(names, seen)) findValues(names, text, found);
}

function isSeen({ sights }: Names, seen: Sightings): boolean {
  for (const one of sights) if ((seen & one) === 0) return false;
  return true;
}

function findValues({ kind, all }: Names, text: string, found: Secret[]): void {
  all.lastIndex = 0;
  while (all.test(text)) {
    const value = valueAt(text, all.lastIndex);
    if (value === undefined || (value.form === 'nested' && kind === 'credential')) continue;
    all.lastIndex = value.end;
    const content = text.slice(value.start, value.end);
    if (isHarmless(content, kind === 'number')) continue;
    found.push({
      start: value.start,
      end: value.end,
      shown: kind === 'number' ? lastFourOf(content) : '',
    });
  }
}

function isHarmless(content: string, isNumber: boolean): boolean {
  return nothing.has(content) || (isNumber && isMasked(content));
}

/** Shows the last four only of a number: the end of any other text could reveal too much. */
function lastFourOf(content: string): string {
  if (!areDigits(content) && !/^[\d .+-]+$/.test(content)) return '';
  const digits = digitsOf(content);
  return digits.length < 12 ? '' : digits.slice(-4);
}

function valueAt(text: string, at: number): Value | undefined {
  if (text.startsWith(redacted, at)) return undefined;
  const quote = openingQuoteAt(text, at);
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

function openingQuoteAt(text: string, at: number): string | undefined {
  const first = text[at];
  if (first === '"' || first === "'") return first;
  if (first !== '\\') return undefined;
  openingQuote.lastIndex = at;
  return openingQuote.exec(text)?.[0];
}

/** A text without a closing quote was truncated: the rest is the value. */
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
