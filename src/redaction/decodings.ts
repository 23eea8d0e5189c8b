/** Decodes a text step by step: URL encoding, JSON escapes and HTML entities. */

/** A decoded text, with the original place of each character. */
export interface Decoding {
  readonly text: string;
  /** The start of each character and the end of the last one; absent if nothing moved. */
  readonly origins: readonly number[] | undefined;
}

/** Non-ASCII separators between digits: typographic spaces and dashes, and invisible characters. */
const encodedSpace = String.raw`%c2%(?:a[0d]|b7)|%e1%9a%80|%e1%a0%8e|%e2%8(?:0%[89a]|1%[9a])[0-9a-f]|%e2%88%92|%e3%80%80|%ef%bb%bf`;
const escapedSpace = String.raw`\\+(?:[tnr]|u(?:00(?:a[0d]|b7)|1680|180e|20[0-26][0-9a-f]|205f|2212|3000|feff))`;
const entitySpace =
  '&(?:nbsp|ensp|emsp|thinsp|shy|ndash|mdash|minus|middot|bull|zwj|zwnj|lrm|rlm|#(?:160|173|183|82[0-3][0-9]|8287|8722|12288)|#x0*(?:a0|ad|b7|20[0-26][0-9a-f]|205f|2212|3000|feff));';

/** ASCII characters as HTML entities: digits, separators, and the quotes around a field. */
const entity = '&(?:#0*(3[249]|4[5-9]|5[0-7])|#x0*(2[02789de]|3[0-9])|(quot|apos));';

/**
 * Encoded characters: URL-encoded or JSON-escaped digits of other scripts, ASCII characters and
 * spaces.
 */
const spelled = new RegExp(
  String.raw`(?:%ef%bc%9|%d9%a|%db%b)([0-9])|%([0-7][0-9a-f])|\\+u(?:ff1|06[6f])([0-9])|\\+u00([0-7][0-9a-f])|${entity}|${encodedSpace}|${escapedSpace}|${entitySpace}`,
  'gi',
);

/** Texts encoded more often than this are not decoded further. */
const maxDepth = 3;

const anyEntity = /&(?:#|[a-z]{3,6};)/i;

/** Whether a text may contain encoded characters. */
export function isEncoded(text: string): boolean {
  return text.includes('%') || text.includes('\\') || (text.includes('&') && anyEntity.test(text));
}

/** All decodings of a text, the plain text first. */
export function decodingsOf(text: string): Decoding[] {
  const decodings: Decoding[] = [{ text, origins: undefined }];
  let last = decodings[0];
  while (last !== undefined && decodings.length <= maxDepth && isEncoded(last.text)) {
    last = decodeOnce(last);
    if (last !== undefined) decodings.push(last);
  }
  return decodings;
}

/** The original place of a place in a decoding. */
export function originOf({ origins }: Decoding, at: number): number {
  return origins?.[at] ?? at;
}

/** Removes one layer of encoding; `undefined` if there is none. */
function decodeOnce(decoding: Decoding): Decoding | undefined {
  const parts: string[] = [];
  const origins: number[] = [];
  let end = 0;
  const keep = (until: number): void => {
    parts.push(decoding.text.slice(end, until));
    for (let at = end; at < until; at++) origins.push(originOf(decoding, at));
  };
  for (const match of decoding.text.matchAll(spelled)) {
    keep(match.index);
    parts.push(plain(match));
    origins.push(originOf(decoding, match.index));
    end = match.index + match[0].length;
  }
  if (end === 0) return undefined;
  keep(decoding.text.length);
  origins.push(originOf(decoding, decoding.text.length));
  return { text: parts.join(''), origins };
}

function plain(match: RegExpExecArray): string {
  const [, wideByte, byte, wideEscape, escape, decimal, entityByte, quote] = match;
  if (quote !== undefined) return quote.toLowerCase() === 'quot' ? '"' : "'";
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  const code = byte ?? escape ?? entityByte;
  return code === undefined
    ? (wideByte ?? wideEscape ?? ' ')
    : String.fromCharCode(Number.parseInt(code, 16));
}
