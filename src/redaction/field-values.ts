/** Finds where the value of a field starts and ends, in JSON, forms, queries, XML and headers. */
import { redacted } from './secret.ts';

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly form: 'quoted' | 'bare' | 'nested';
}

const openingQuote = /\\*["']/y;
const bareValue = /(?:(?:bearer|basic)[ +]+)?[^\s"'&;,<>{}()[\]\\]+(?:(?<=\d) \d+)*/iy;
const spaces = /\s*/y;
const cdata = '<![CDATA[';

/** The value at a place, after spaces; `undefined` if there is none. */
export function valueAt(text: string, from: number): Value | undefined {
  if (from < 0) return undefined;
  spaces.lastIndex = from;
  spaces.test(text);
  const at = spaces.lastIndex;
  if (text.startsWith(redacted, at)) return undefined;
  if (text.startsWith(cdata, at)) {
    const start = at + cdata.length;
    return { start, end: endBefore(text, ']]>', start), form: 'quoted' };
  }
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

function endBefore(text: string, mark: string, start: number): number {
  const end = text.indexOf(mark, start);
  return end < 0 ? text.length : end;
}

/** A text without a closing quote was truncated: the rest is the value. */
function endOfQuoted(text: string, start: number, quote: string): number {
  const end = endBefore(text, quote, start);
  if (quote.length > 1 || !text.slice(start, end).includes('\\')) return end;
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

/** A part of a text around a place. It is short, so that a search in it takes no longer in a longer text. */
interface Window {
  readonly text: string;
  /** The place of its start in the text. */
  readonly start: number;
  /** The place in it that it is around. */
  readonly at: number;
}

const windowLength = 1_000;

function windowAround(text: string, at: number): Window {
  const start = Math.max(0, at - windowLength);
  return { text: text.slice(start, at + windowLength), start, at: at - start };
}

/** Moves a value of a window to its place in the text. */
function inText({ start }: Window, value: Value | undefined): Value | undefined {
  return value && { start: start + value.start, end: start + value.end, form: value.form };
}

/** The values of those members of the JSON object around a place whose key is in a set. */
export function valuesBeside(text: string, from: number, keys: ReadonlySet<string>): Value[] {
  const window = windowAround(text, from);
  const values: Value[] = [];
  for (const [key, value] of membersAround(window)) {
    const moved = inText(window, value);
    if (moved !== undefined && keys.has(key.toLowerCase().replaceAll(/[\W_]/g, '')))
      values.push(moved);
  }
  return values;
}

function* membersAround({ text, at: from }: Window): Generator<readonly [string, Value]> {
  let at = startOfObject(text, from) + 1;
  while (at > 0) {
    const key = valueAt(text, at);
    if (key?.form !== 'quoted') return;
    const value = valueAt(text, skipPast(text, key.end + 1, ':'));
    if (value === undefined) return;
    yield [text.slice(key.start, key.end), value];
    at = skipPast(text, value.form === 'quoted' ? value.end + 1 : value.end, ',');
  }
}

/** The start of the JSON object around a place; -1 if there is none. */
function startOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at >= 0; at--) {
    const one = text[at];
    if (one === '"') at = startOfQuoted(text, at - 1);
    else if (one === ']' || one === '}') depth++;
    else if (one === '[' || one === '{') {
      if (depth === 0) return one === '{' ? at : -1;
      depth--;
    }
  }
  return -1;
}

function startOfQuoted(text: string, from: number): number {
  let at = from;
  while (at >= 0 && (text[at] !== '"' || text[at - 1] === '\\')) at--;
  return at;
}

/** The place after a mark that comes next, after spaces; otherwise one that nothing can come after. */
function skipPast(text: string, from: number, mark: string): number {
  spaces.lastIndex = from;
  spaces.test(text);
  return text[spaces.lastIndex] === mark ? spaces.lastIndex + 1 : Number.NEGATIVE_INFINITY;
}

const valueAttribute = /\bvalue\s*=\s*(?=["'])/i;

/** The value attribute of the XML or HTML tag around a place, or the text after the tag. */
export function valueOfTag(whole: string, from: number): Value | undefined {
  const window = windowAround(whole, from);
  const { text, at } = window;
  const [start, end] = [text.lastIndexOf('<', at), text.indexOf('>', at)];
  // No tag, or one that ended before.
  if (start < 0 || end < 0 || text.slice(start, at).includes('>')) return undefined;
  const attribute = valueAttribute.exec(text.slice(start, end));
  if (attribute !== null) {
    return inText(window, valueAt(text, start + attribute.index + attribute[0].length));
  }
  return text[end - 1] === '/' ? undefined : inText(window, valueAt(text, end + 1));
}

const blankLine = /\r?\n\r?\n/g;
const lineEnd = /\r?\n--|$/g;

/** The content of the part of a multipart form whose head names a field at a place. */
export function contentOfPart(whole: string, from: number): Value | undefined {
  const window = windowAround(whole, from);
  blankLine.lastIndex = window.at;
  if (!blankLine.test(window.text)) return undefined;
  const start = blankLine.lastIndex;
  lineEnd.lastIndex = start;
  const end = lineEnd.exec(window.text)?.index ?? start;
  return inText(window, { start, end, form: 'quoted' });
}
