/** The ways in which one text can be read: as it is, URL-decoded, with JSON's escapes resolved. */

/** A text as somebody may read it, and where each of its characters stands in the text as it was written. */
export interface Reading {
  readonly text: string;
  /** The start of each character, and the end of the last one; absent where nothing moved. */
  readonly origins: readonly number[] | undefined;
}

/** What stands between digits and is no ASCII: spaces and dashes of print, and what takes no room. */
const encodedSpace = String.raw`%c2%a[0d]|%e2%80%[89a][0-9a-f]|%e2%88%92|%e3%80%80|%ef%bb%bf`;
const escapedSpace = String.raw`\\+(?:t|u(?:00a[0d]|20[0-2][0-9a-f]|2212|3000|feff))`;

/** Digits of other scripts, ASCII characters and spaces of all kinds, URL-encoded, and JSON's escapes of them. */
const spelled = new RegExp(
  String.raw`(?:%ef%bc%9|%d9%a|%db%b)([0-9])|%([0-7][0-9a-f])|\\+u(?:ff1|06[6f])([0-9])|\\+u00([0-7][0-9a-f])|${encodedSpace}|${escapedSpace}`,
  'gi',
);

/** Texts that were encoded more often than this are not looked into. */
const maxDepth = 3;

/** Whether a text could be read in any way but as it is. */
export function isSpelled(text: string): boolean {
  return text.includes('%') || text.includes('\\');
}

/** Every reading of a text, the plain one first. */
export function readingsOf(text: string): Reading[] {
  const readings: Reading[] = [{ text, origins: undefined }];
  let last = readings[0];
  while (last !== undefined && readings.length <= maxDepth && isSpelled(last.text)) {
    last = decoded(last);
    if (last !== undefined) readings.push(last);
  }
  return readings;
}

/** Where a place of a reading stands in the text as it was written. */
export function originOf({ origins }: Reading, at: number): number {
  return origins?.[at] ?? at;
}

/** One layer less of encoding; `undefined` when there is none. */
function decoded(reading: Reading): Reading | undefined {
  const parts: string[] = [];
  const origins: number[] = [];
  let end = 0;
  const keep = (until: number): void => {
    parts.push(reading.text.slice(end, until));
    for (let at = end; at < until; at++) origins.push(originOf(reading, at));
  };
  for (const match of reading.text.matchAll(spelled)) {
    keep(match.index);
    parts.push(plain(match));
    origins.push(originOf(reading, match.index));
    end = match.index + match[0].length;
  }
  if (end === 0) return undefined;
  keep(reading.text.length);
  origins.push(originOf(reading, reading.text.length));
  return { text: parts.join(''), origins };
}

function plain([, wideByte, byte, wideEscape, escape]: RegExpExecArray): string {
  const code = byte ?? escape;
  return code === undefined
    ? (wideByte ?? wideEscape ?? ' ')
    : String.fromCharCode(Number.parseInt(code, 16));
}
