/** From bytes to a JSON value, or why not. Texts are private and name no value that was sent. */

export type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** Deeper than any body of the service; a limit so that nothing behind it recurses without end. */
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = '\ufeff';

/** The text of a body; `undefined` where it is not UTF-8. */
export function textOfBody(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength === 0) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads the text of a JSON body. An empty body is `{}`: several clients send none where no field is needed
 * (contract.md §14.4). `null` counts as absent everywhere, the whole body included (§14.4, §14.9).
 */
export function parseBody(sent: string | undefined): Parsed {
  if (sent === undefined) return { ok: false, reason: 'The body is not UTF-8.' };
  const text = sent.startsWith(byteOrderMark) ? sent.slice(1) : sent;
  if (text.trim() === '') return { ok: true, value: {} };
  if (isTooDeep(text)) {
    return { ok: false, reason: `The body nests deeper than ${maxDepth} levels.` };
  }
  let value: unknown;
  try {
    value = text.includes('null') ? JSON.parse(text, nullIsAbsent) : JSON.parse(text);
  } catch {
    return { ok: false, reason: 'The body is not JSON.' };
  }
  return { ok: true, value: value === undefined ? {} : value };
}

/** `application/json`, with any parameters. A missing type with a body is not accepted. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && mediaType(contentType) === 'application/json';
}

/** A form, or nothing said: one client sends its token request without a type (contract.md §14.6). */
export function isFormType(contentType: string | undefined): boolean {
  return (
    contentType === undefined || mediaType(contentType) === 'application/x-www-form-urlencoded'
  );
}

function mediaType(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

function nullIsAbsent(_key: string, value: unknown): unknown {
  return value === null ? undefined : value;
}

/** Opening brackets, counted up to one more than `enough`. */
function bracketsIn(text: string, enough: number): number {
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

function isTooDeep(text: string): boolean {
  // Nearly every body has too few brackets to nest that deep.
  if (bracketsIn(text, maxDepth) <= maxDepth) return false;
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
