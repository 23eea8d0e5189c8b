/** The ways in which one text can be read: as it is, URL-decoded, with JSON's escapes and HTML's entities resolved. */

/** A text as somebody may read it, and where each of its characters stands in the text as it was written. */
export interface Decoding {
  readonly text: string;
  /** The start of each character, and the end of the last one; absent where nothing moved. */
  readonly origins: readonly number[] | undefined;
}

/** What stands between digits and is no ASCII: spaces and dashes of print, and what takes no room. */
const encodedSpace = String.raw`%c2%(?:a[0d]|b7)|%e1%9a%80|%e1%a0%8e|%e2%8(?:0%[89a]|1%[9a])[0-9a-f]|%e2%88%92|%e3%80%80|%ef%bb%bf`;
const escapedSpace = String.raw`\\+(?:[tnr]|u(?:00(?:a[0d]|b7)|1680|180e|20[0-26][0-9a-f]|205f|2212|3000|feff))`;
const entitySpace =
  '&(?:nbsp|ensp|emsp|thinsp|shy|ndash|mdash|minus|middot|bull|zwj|zwnj|lrm|rlm|#(?:160|173|183|82[0-3][0-9]|8287|8722|12288)|#x0*(?:a0|ad|b7|20[0-26][0-9a-f]|205f|2212|3000|feff));';

/** What an attribute or a page makes of ASCII: the digits, what stands between them, and the quotes around a field. */
const entity = '&(?:#0*(3[249]|4[5-9]|5[0-7])|#x0*(2[02789de]|3[0-9])|(quot|apos));';

/** Digits of other scripts, ASCII characters and spaces of all kinds, URL-encoded, and JSON's escapes of them. */
const spelled = new RegExp(
  String.raw`(?:%ef%bc%9|%d9%a|%db%b)([0-9])|%([0-7][0-9a-f])|\\+u(?:ff1|06[6f])([0-9])|\\+u00([0-7][0-9a-f])|${entity}|${encodedSpace}|${escapedSpace}|${entitySpace}`,
  'gi',
);

/** Texts that were encoded more often than this are not looked into. */
const maxDepth = 3;

const anyEntity = /&(?:#|[a-z]{3,6};)/i;

/** Whether a text could be read in any way but as it is. */
export function isEncoded(text: string): boolean {
  return text.includes('%') || text.includes('\\') || (text.includes('&') && anyEntity.test(text));
}

/** Every reading of a text, the plain one first. */
export function decodingsOf(text: string): Decoding[] {
  const decodings: Decoding[] = [{ text, origins: undefined }];
  let last = decodings[0];
  while (last !== undefined && decodings.length <= maxDepth && isEncoded(last.text)) {
    last = decodeOnce(last);
    if (last !== undefined) decodings.push(last);
  }
  return decodings;
}

/** Where a place of a reading stands in the text as it was written. */
export function originOf({ origins }: Decoding, at: number): number {
  return origins?.[at] ?? at;
}

/** One layer less of encoding; `undefined` when there is none. */
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
