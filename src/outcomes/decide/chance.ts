/** Chance without a running generator: a request more elsewhere shifts no draw. */
import { hash } from 'node:crypto';

/** A number in [0, 1) that these words always give. */
export function drawChance(...words: readonly (string | number)[]): number {
  const digest = hash('sha256', JSON.stringify(words), 'buffer');
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
