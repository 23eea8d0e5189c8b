/** Chance without a running generator, so that an additional request elsewhere changes no draw. */
import { hash } from 'node:crypto';

type Word = string | number;

/** Returns a number in [0, 1) that is always the same for the same words. */
export function drawChance(...words: readonly Word[]): number {
  const digest = hash('sha256', JSON.stringify(words), 'buffer');
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** Returns one item of a list, always the same for the same words. */
export function drawOne<T>(list: readonly T[], ...words: readonly Word[]): T | undefined {
  return list[Math.floor(drawChance(...words) * list.length)];
}
