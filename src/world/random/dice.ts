/**
 * Seeded random numbers. Each stream has its own generator, so that drawing from one does not
 * affect another.
 */
import { hash, randomBytes } from 'node:crypto';
import { customRandom, urlAlphabet } from 'nanoid';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A random seed of 21 characters, like nanoid's own. It uses Node's random bytes, because the web
 * API would load all of WebCrypto at start.
 */
export const newSeed = customRandom(urlAlphabet, 21, randomBytes);

/** Draws whole numbers from `from` to `to`, both inclusive. */
export type Draw = (from: number, to: number) => number;

/** The state of a stream: four 32-bit words. Equal states continue equally on every platform. */
export type StreamState = readonly [number, number, number, number];

/** A stream of draws whose state can be saved and continued elsewhere. */
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

/** The initial state of the stream with this name. Equal names always give equal draws. */
export function initialStreamState(...words: readonly string[]): StreamState {
  const digest = hash('sha256', JSON.stringify(words), 'buffer');
  return [
    digest.readInt32LE(0),
    digest.readInt32LE(4),
    digest.readInt32LE(8),
    digest.readInt32LE(12),
  ];
}

/** Creates the stream with this name and returns its draw function. */
export function createDraw(...words: readonly string[]): Draw {
  return new RandomStream(initialStreamState(...words)).draw;
}
