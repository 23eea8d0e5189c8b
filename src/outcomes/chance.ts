/** Chance without a running generator: a request more elsewhere shifts no draw. */
import { createHash } from 'node:crypto';

/** A number in [0, 1) that these words always give. */
export function chance(...words: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
