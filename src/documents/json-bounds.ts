/** Measures a JSON text before it is parsed: a small text can hold more values than fit into memory. */

/** What a JSON text may hold. */
export interface JsonBounds {
  /** Values of all kinds, nested ones included. */
  readonly maxValues: number;
  /** Lists and objects within each other. */
  readonly maxDepth: number;
  /** Keys of one object. Default: any number. */
  readonly maxKeys?: number;
}

/** Deeper than any document of the sandbox, and less than recursive code can follow. */
export const maxJsonDepth = 64;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The bound that a text exceeds; `undefined` if none. It takes time in proportion to the length, and no memory. The text
 * need not be valid.
 */
export function findExceededBound(
  text: Uint8Array,
  { maxValues, maxDepth, maxKeys = Number.POSITIVE_INFINITY }: JsonBounds,
): keyof JsonBounds | undefined {
  let [values, depth, isInString] = [1, 0, false];
  /** How many keys the open object of each depth has so far. */
  const keys = new Uint32Array(maxDepth + 1);
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isInString) {
      if (byte === backslash) at++;
      else if (byte === quote) isInString = false;
      continue;
    }
    if (byte === quote) isInString = true;
    // A comma or a bracket comes before each value but the first. A key counts too: it takes memory as a value does.
    else if (byte === comma) values++;
    else if (byte === colon) {
      values++;
      // A text that is no JSON may close more than it opens.
      const count = (keys[depth] ?? 0) + 1;
      if (count > maxKeys) return 'maxKeys';
      if (depth >= 0) keys[depth] = count;
    } else if (byte === openList || byte === openObject) {
      values++;
      if (++depth > maxDepth) return 'maxDepth';
      if (depth >= 0) keys[depth] = 0;
    } else if (byte === closeList || byte === closeObject) depth--;
    if (values > maxValues) return 'maxValues';
  }
  return undefined;
}
