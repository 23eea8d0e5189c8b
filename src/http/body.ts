/** Request bodies: reads JSON from bytes, or says why it cannot. No reason quotes a value that was sent. */
import { restoreIds, mayContainLongId } from '../outcomes/effects/long-id-dialect.ts';
import type { Body } from '../transport-port/transport.ts';

export type ParsedBody =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** How many levels a body may nest: more than any body of the service, so that no reader recurses without end. */
const maxDepth = 32;

/** UTF-16 begins like this too, but has a zero beside each character. */
const startsAsJson = /^\s*[[{]/;

/** A body that was received. It is decoded and parsed once. */
export class ReceivedBody {
  readonly bytes: Body;
  readonly #text: string | undefined;
  #parsed: ParsedBody | undefined;

  constructor(bytes: Body) {
    this.bytes = bytes;
    this.#text = typeof bytes === 'string' ? '' : decode(bytes);
  }

  /**
   * What the journal keeps; `undefined` where there was no body. Card data is found in JSON, and in what was meant to
   * be JSON. Any other body could hold it in a form that no search finds, so only its length is kept.
   */
  get journalText(): string | undefined {
    const { bytes } = this;
    if (typeof bytes === 'string' || bytes.byteLength === 0) return undefined;
    const text = this.#text;
    return text !== undefined && startsAsJson.test(text) && !text.includes('\0')
      ? text
      : `(${bytes.byteLength} bytes that are no JSON)`;
  }

  /** Its value. Ids are those that are stored: an answer may have shown longer ones. */
  get parsed(): ParsedBody {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  /** The same before any check; `undefined` where it cannot be read. */
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

/** The body of an operation that takes none. */
export const noBody = new ReceivedBody(new Uint8Array());

/** Whether a type is `application/json`, with any parameters. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && mediaType(contentType) === 'application/json';
}

/** Whether a type is that of a form, or absent: one client sends its token request without a type (contract.md §14.6). */
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

/** The text of a body; `undefined` where it is not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength === 0) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON. An empty body is `{}`: several clients send none where no field is needed (contract.md §14.4). `null`
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
  // Nearly every body has too few brackets to nest that deep.
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
