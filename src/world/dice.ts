/** Seeded chance. Each stream of draws has its own generator, so drawing from one shifts no other. */
import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Draws whole numbers from `from` to `to`, both included. */
export type Draw = (from: number, to: number) => number;

/** The stream named by these words: the same words always give the same draws, on every platform. */
export function stream(...words: readonly string[]): Draw {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest();
  const generator: RandomGenerator = xoroshiro128plusFromState([
    digest.readInt32LE(0),
    digest.readInt32LE(4),
    digest.readInt32LE(8),
    digest.readInt32LE(12),
  ]);
  return (from, to) => uniformInt(generator, from, to);
}
