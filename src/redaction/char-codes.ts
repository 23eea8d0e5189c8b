/** The codes of a text's characters, to look through: reading them out of a string takes twice as long. */
import { Buffer } from 'node:buffer';

/** By place in the text; what lies beyond its length is of no text. */
export type Codes = Uint8Array | Uint16Array;

/** Longer texts get room of their own. */
const roomBytes = 32 * 1024;
const room = new Uint8Array(roomBytes);
const written = Buffer.from(room.buffer);

/** With room for all but its last few bytes, a text of more than ASCII still fills more bytes than it has characters. */
const spareBytes = 4;

/**
 * Lends the codes of a text to `look`, which must not look at another text meanwhile. Nothing is left of them: the text
 * may hold a card number.
 */
export function withCharCodes<T>(text: string, look: (codes: Codes, length: number) => T): T {
  const { length } = text;
  if (length + spareBytes > roomBytes) return look(unitsOf(text), length);
  const bytes = written.write(text);
  try {
    // As many bytes as characters: all of it is ASCII.
    return look(bytes === length ? room : unitsOf(text), length);
  } finally {
    room.fill(0, 0, bytes);
  }
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
