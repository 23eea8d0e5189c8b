/** Seeded chance. Each stream of draws has its own generator, so drawing from one shifts no other. */
import { hash, randomBytes } from 'node:crypto';
import { customRandom, urlAlphabet } from 'nanoid';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A seed that nobody chose: 21 characters, as nanoid's own, but of Node's bytes. The web's would load all of WebCrypto
 * into each start.
 */
export const newSeed = customRandom(urlAlphabet, 21, randomBytes);

/** Draws whole numbers from `from` to `to`, both included. */
export type Draw = (from: number, to: number) => number;

/** Where a stream stands: four words of 32 bits. The same words go on in the same way, on every platform. */
export type StreamState = readonly [number, number, number, number];

/** A stream of draws that can be written down and gone on with elsewhere. */
export class RandomStream {
  readonly #generator: RandomGenerator;

  constructor(state: StreamState) {
    this.#generator = xoroshiro128plusFromState(state);
  }

  readonly draw: Draw = (from, to) => uniformInt(this.#generator, from, to);

  get state(): StreamState {
    const [a = 0, b = 0, c = 0, d = 0] = this.#generator.getState();
    return [a, b, c, d];
  }
}

/** Where the stream named by these words begins: the same words always give the same draws. */
export function initialStreamState(...words: readonly string[]): StreamState {
  const digest = hash('sha256', JSON.stringify(words), 'buffer');
  return [
    digest.readInt32LE(0),
    digest.readInt32LE(4),
    digest.readInt32LE(8),
    digest.readInt32LE(12),
  ];
}

/** The stream named by these words, from its beginning. */
export function createDraw(...words: readonly string[]): Draw {
  return new RandomStream(initialStreamState(...words)).draw;
}
