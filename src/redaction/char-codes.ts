/**
 * Copies a text's character codes into a buffer. Reading them from a string takes twice as long.
 */

/** Codes by place in the text. Codes beyond its length are not part of it. */
export type Codes = Uint8Array | Uint16Array;

/** Longer texts get a buffer of their own. */
const sharedBytes = 32 * 1024;
const shared = new Uint8Array(sharedBytes);
const encoder = new TextEncoder();

/**
 * If only these last bytes are missing, a text with non-ASCII characters still writes more bytes
 * than it has characters.
 */
const spareBytes = 4;

/**
 * Lends a text's codes to `look`, which must not call this function again. The buffer is cleared
 * afterwards, because the text may contain a card number.
 */
export function withCharCodes<T>(text: string, look: (codes: Codes, length: number) => T): T {
  const { length } = text;
  const room = length + spareBytes;
  const buffer = room > sharedBytes ? new Uint8Array(room) : shared;
  const { written: bytes } = encoder.encodeInto(text, buffer);
  try {
    // Equal numbers of bytes and characters mean that the text is ASCII.
    return look(bytes === length ? buffer : unitsOf(text), length);
  } finally {
    buffer.fill(0, 0, bytes);
  }
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
