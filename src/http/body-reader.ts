/** Decodes and parses the JSON body of a request. No reason quotes a value of the client. */
import { mayContainLongId, restoreIds } from '../outcomes/effects/long-id-dialect.ts';
import type { Body } from '../transport-port/transport.ts';
import type { ParsedBody, ReceivedBody } from './context.ts';

/** The most levels of nesting. Bodies of the service have fewer, and more could exhaust the stack of a reader. */
const maxDepth = 32;

/** UTF-16 starts like this too, but has a zero byte next to each character. */
const startsAsJson = /^\s*[[{]/;

/** Decodes and parses a body once. */
export class BodyReader implements ReceivedBody {
  readonly bytes: Body;
  readonly #text: string | undefined;
  #parsed: ParsedBody | undefined;

  constructor(bytes: Body) {
    this.bytes = bytes;
    this.#text = typeof bytes === 'string' ? '' : decode(bytes);
  }

  /**
   * Redaction finds card data in JSON and in malformed JSON. In any other body it could miss some, so only the length
   * is kept.
   */
  get journalText(): string | undefined {
    const { bytes } = this;
    if (typeof bytes === 'string' || bytes.byteLength === 0) return undefined;
    const text = this.#text;
    return text !== undefined && startsAsJson.test(text) && !text.includes('\0')
      ? text
      : `(${bytes.byteLength} bytes that are not JSON)`;
  }

  /** Lengthened ids are replaced by the stored ones. */
  get parsed(): ParsedBody {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  get uncheckedValue(): unknown {
    if (typeof this.bytes === 'string') return undefined;
    return this.parsed.ok ? this.parsed.value : undefined;
  }

  #parse(): ParsedBody {
    const parsed = parseJson(this.#text);
    return parsed.ok && this.#text !== undefined && mayContainLongId(this.#text)
      ? { ok: true, value: restoreIds(parsed.value) }
      : parsed;
  }
}

/** The body for an operation that accepts none. */
export const absentBody = new BodyReader(new Uint8Array());

/** Whether a type is `application/json`, with any parameters. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && mediaType(contentType) === 'application/json';
}

/**
 * Whether a type is that of a form. An absent type counts too: one client sends its token request without one
 * (contract.md §14.6).
 */
export function isFormType(contentType: string | undefined): boolean {
  return (
    contentType === undefined || mediaType(contentType) === 'application/x-www-form-urlencoded'
  );
}

function mediaType(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = '\ufeff';

/** Decodes a body; `undefined` if it is not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength === 0) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON. An empty body is `{}`: several clients send none if no field is required (contract.md §14.4). `null`
 * counts as absent everywhere, also as the whole body (§14.4, §14.9).
 */
function parseJson(sent: string | undefined): ParsedBody {
  if (sent === undefined) return { ok: false, reason: 'The body is not UTF-8.' };
  const text = sent.startsWith(byteOrderMark) ? sent.slice(1) : sent;
  if (text.trim() === '') return { ok: true, value: {} };
  if (isTooDeep(text)) {
    return { ok: false, reason: `The body nests deeper than ${maxDepth} levels.` };
  }
  let value: unknown;
  try {
    value = text.includes('null') ? JSON.parse(text, nullAsAbsent) : JSON.parse(text);
  } catch {
    return { ok: false, reason: 'The body is not JSON.' };
  }
  return { ok: true, value: value === undefined ? {} : value };
}

function nullAsAbsent(_key: string, value: unknown): unknown {
  return value === null ? undefined : value;
}

function isTooDeep(text: string): boolean {
  // Fast path: nearly every body has too few brackets to nest that deep.
  if (countBrackets(text, maxDepth) <= maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Counts opening brackets, up to one more than `enough`. */
function countBrackets(text: string, enough: number): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    let at = text.indexOf(bracket);
    while (at !== -1 && count <= enough) {
      count++;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return count;
}
