/** Decodes a text step by step: URL encoding, escapes of JSON and JavaScript, HTML entities, quoted-printable. */

/** A decoded text, with the original place of each character. */
export interface Decoding {
  readonly text: string;
  /** The start of each character and the end of the last one; absent if nothing moved. */
  readonly origins: readonly number[] | undefined;
}

/** Texts encoded more often than this are not decoded further. */
const maxDepth = 3;

/** One encoded byte: `%34`, or `=34` in quoted-printable. */
const [percentByte, equalsByte, byteWidth] = [/%[\da-f]{2}/iy, /=[\dA-F]{2}/y, 3];

/**
 * One encoded character. Two backslashes are one that is encoded, and the next step reads what follows it.
 *
 * `\u`, `&#` and `%A` may also stand before a card number by chance, and must not take its first digits. A number starts
 * with 2 to 6. So ideographs (`\u4111`), decimal entities of more than three digits without a semicolon (`&#4111`) and
 * bytes such as `%A4` that are not UTF-8 stay as they are. So do `\x41` and the like before a further digit.
 */
const encoded = {
  escape:
    /\\(?:u(?!3[4-9]\d\d|[4-6]\d{3})([\da-f]{4})|u\{([\da-f]{1,6})\}|x(?!2[2-7]\d|[3-6]\d\d)([\da-f]{2})|(["'\\/nrtbfv]))/iy,
  entity: /&(?:#(\d{1,8}(?=;)|\d{1,3}(?!\d))|#x([\da-f]{1,8})|([a-z][a-z\d]{1,30})(?=;));?/iy,
  printedBreak: /=\r?\n/y,
} as const;

/** Entities that matter between a name and its value. Any other name is a space. */
const namedEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    quot: '"',
    apos: "'",
    amp: '&',
    lt: '<',
    gt: '>',
    colon: ':',
    equals: '=',
    comma: ',',
    bsol: '\\',
    percnt: '%',
    lsqb: '[',
    rsqb: ']',
    lcub: '{',
    rcub: '}',
  }),
);

const escapedLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }),
);

type Decode = (
  text: string,
  at: number,
) => { readonly plain: string; readonly end: number } | undefined;

/** Texts with at least this many quoted-printable bytes are decoded as such. A query has `=` for other reasons. */
const fewestPrintedBytes = 3;
const printedByte = /=(?:[\dA-F]{2}|\r?\n)/g;

const anyEntity = /&(?:#|[a-z]{2,30};)/i;

/** Whether a text may contain encoded characters. */
export function isEncoded(text: string): boolean {
  return (
    text.includes('%') ||
    text.includes('\\') ||
    (text.includes('&') && anyEntity.test(text)) ||
    isQuotedPrintable(text)
  );
}

function isQuotedPrintable(text: string): boolean {
  if (!text.includes('=')) return false;
  printedByte.lastIndex = 0;
  for (let count = 0; count < fewestPrintedBytes; count++) {
    if (!printedByte.test(text)) return false;
  }
  return true;
}

/** All decodings of a text, the plain text first. */
export function decodingsOf(text: string): Decoding[] {
  const plain: Decoding = { text, origins: undefined };
  const decodings: Decoding[] = [plain];
  let last: Decoding | undefined = plain;
  for (let depth = 0; depth < maxDepth && last !== undefined; depth++) {
    last = decodeOnce(last, /[%\\&]/g, decodeCommon);
    if (last !== undefined) decodings.push(last);
  }
  const printed = decodings
    .filter((one) => isQuotedPrintable(one.text))
    .map((one) => decodeOnce(one, /=/g, decodePrinted));
  return [...decodings, ...printed.filter((one) => one !== undefined)];
}

/** The original place of a place in a decoding. */
export function originOf({ origins }: Decoding, at: number): number {
  return origins?.[at] ?? at;
}

/** Removes one layer of encoding; `undefined` if there is none. */
function decodeOnce(decoding: Decoding, marks: RegExp, decode: Decode): Decoding | undefined {
  const { text } = decoding;
  const parts: string[] = [];
  const origins: number[] = [];
  let end = 0;
  const keep = (until: number): void => {
    parts.push(text.slice(end, until));
    for (let at = end; at < until; at++) origins.push(originOf(decoding, at));
  };
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const found = decode(text, mark.index);
    if (found === undefined) continue;
    keep(mark.index);
    const { plain } = found;
    parts.push(plain);
    for (let at = 0; at < plain.length; at++) origins.push(originOf(decoding, mark.index));
    end = found.end;
    marks.lastIndex = end;
  }
  if (end === 0) return undefined;
  keep(text.length);
  origins.push(originOf(decoding, text.length));
  return { text: parts.join(''), origins };
}

const decodeCommon: Decode = (text, at) => {
  switch (text[at]) {
    case '%':
      return decodeBytes(text, at, percentByte);
    case '\\':
      return decodeEscape(text, at);
    default:
      return decodeEntity(text, at);
  }
};

const decodePrinted: Decode = (text, at) => {
  const bytes = decodeBytes(text, at, equalsByte);
  if (bytes !== undefined) return bytes;
  encoded.printedBreak.lastIndex = at;
  return encoded.printedBreak.test(text)
    ? { plain: '', end: encoded.printedBreak.lastIndex }
    : undefined;
};

const firstDigits = /[2-6]/;

/** Decodes one UTF-8 character of encoded bytes. Bytes that are not UTF-8 are read as Latin-1, or stay. */
function decodeBytes(text: string, at: number, form: RegExp): ReturnType<Decode> {
  const first = byteAt(text, at, form);
  if (first === undefined) return undefined;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const bytes = [first];
  while (bytes.length < length) {
    const next = byteAt(text, at + bytes.length * byteWidth, form);
    if (next === undefined || (next & 0xc0) !== 0x80) break;
    bytes.push(next);
  }
  const isUtf8 = first < 0x80 || (length > 1 && bytes.length === length);
  if (!isUtf8) {
    if (firstDigits.test(text[at + 2] ?? '')) return undefined;
    return { plain: String.fromCharCode(first), end: at + byteWidth };
  }
  return { plain: Buffer.from(bytes).toString('utf8'), end: at + length * byteWidth };
}

function byteAt(text: string, at: number, form: RegExp): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? Number.parseInt(text.slice(at + 1, at + byteWidth), 16) : undefined;
}

function decodeEscape(text: string, at: number): ReturnType<Decode> {
  encoded.escape.lastIndex = at;
  const match = encoded.escape.exec(text);
  if (match === null) return undefined;
  const [, unit, point, byte, letter] = match;
  const plain =
    letter === undefined
      ? fromCode(unit ?? point ?? byte ?? '', 16)
      : (escapedLetters.get(letter) ?? letter);
  return { plain, end: encoded.escape.lastIndex };
}

function decodeEntity(text: string, at: number): ReturnType<Decode> {
  encoded.entity.lastIndex = at;
  const match = encoded.entity.exec(text);
  if (match === null) return undefined;
  const [, decimal, hexadecimal, name] = match;
  const plain =
    name === undefined
      ? fromCode(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10)
      : (namedEntities.get(name.toLowerCase()) ?? ' ');
  return { plain, end: encoded.entity.lastIndex };
}

function fromCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : ' ';
}
