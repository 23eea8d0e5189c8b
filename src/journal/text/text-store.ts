/** Texts outside the heap: on it, the collector would copy each of them twice and go past them for as long as they stay. */
import { Buffer } from 'node:buffer';

/** Most journals are short, and there may be thousands of them. */
const firstChunkBytes = 2 * 1024;
const largestChunkBytes = 64 * 1024;

/** No character of a string takes more in UTF-8. */
const mostBytesPerUnit = 3;

/** Characters at each end of a text that tell it from most others. */
const probed = 48;

/** A text that is read when somebody asks for it. */
export interface StoredText {
  /** In UTF-8. */
  readonly bytes: number;
  /** `undefined` once it is gone. */
  read(): string | undefined;
  /** Whether it is there and reads so. */
  reads(text: string): boolean;
}

/** Bytes that texts lie in, one after another. */
class Chunk {
  readonly bytes: Buffer;
  /** Texts in it that somebody holds, each as often as it is held. */
  held = 0;
  /** How often it was begun anew: what was written into it before that is gone. */
  turn = 0;

  constructor(length: number) {
    // Not of the pool that Node shares: what else lies in there would live as long.
    this.bytes = Buffer.allocUnsafeSlow(length);
  }
}

class Stored implements StoredText {
  readonly chunk: Chunk;
  readonly #turn: number;
  readonly #start: number;
  readonly #end: number;
  readonly #isAscii: boolean;

  constructor(chunk: Chunk, start: number, end: number, isAscii: boolean) {
    this.chunk = chunk;
    this.#turn = chunk.turn;
    this.#start = start;
    this.#end = end;
    this.#isAscii = isAscii;
  }

  get bytes(): number {
    return this.#end - this.#start;
  }

  get isGone(): boolean {
    return this.#turn !== this.chunk.turn;
  }

  /** Whether the other one reads the same; neither is read for that. */
  isSame(other: Stored): boolean {
    if (this.isGone || other.isGone || other.bytes !== this.bytes) return false;
    const { bytes } = this.chunk;
    return bytes.compare(other.chunk.bytes, other.#start, other.#end, this.#start, this.#end) === 0;
  }

  read(): string | undefined {
    if (this.isGone) return undefined;
    return this.chunk.bytes.toString(this.#isAscii ? 'latin1' : 'utf8', this.#start, this.#end);
  }

  reads(text: string): boolean {
    return this.#mayRead(text) && this.read() === text;
  }

  /**
   * Whether it is worth reading: texts at one address that differ are often equally long, and differ in an id, which
   * answers show first and requests last.
   */
  #mayRead(text: string): boolean {
    if (!this.#isAscii) return true;
    const { length } = text;
    if (length !== this.bytes) return false;
    const { bytes } = this.chunk;
    for (let at = 0; at < probed && at < length; at++) {
      const back = length - 1 - at;
      if (bytes[this.#start + at] !== text.charCodeAt(at)) return false;
      if (bytes[this.#start + back] !== text.charCodeAt(back)) return false;
    }
    return true;
  }
}

/** Whether both read the same, or neither is there. */
export function isSameText(one: StoredText | undefined, other: StoredText | undefined): boolean {
  if (one === other) return true;
  return one instanceof Stored && other instanceof Stored && one.isSame(other);
}

/**
 * Keeps texts in chunks, one after another. A chunk that nobody holds a text of any more is written into again: a new
 * one for every few dozen exchanges costs up to a tenth of what they do, most of it in collections.
 */
export class TextStore {
  #chunk: Chunk | undefined;
  #spare: Chunk | undefined;
  #used = 0;
  #nextChunkBytes = firstChunkBytes;

  /** Held once, for whoever asks: it is there until it is released as often as it is held, and gone some time after. */
  keep(text: string): StoredText {
    const chunk = this.#chunkFor(text);
    const start = this.#used;
    const bytes = chunk.bytes.write(text, start);
    this.#used += bytes;
    chunk.held++;
    return new Stored(chunk, start, this.#used, bytes === text.length);
  }

  /** Holds a text once more, where it is still there; whether it is. */
  hold(text: StoredText): boolean {
    if (!(text instanceof Stored) || text.isGone) return false;
    text.chunk.held++;
    return true;
  }

  /** A text that is never released stays for as long as somebody knows it. */
  release(text: StoredText): void {
    if (!(text instanceof Stored)) return;
    const { chunk } = text;
    chunk.held--;
    if (chunk !== this.#chunk) this.#spareOf(chunk);
  }

  /** Begins anew, as small as at first. */
  clear(): void {
    this.#chunk = undefined;
    this.#spare = undefined;
    this.#used = 0;
    this.#nextChunkBytes = firstChunkBytes;
  }

  #chunkFor(text: string): Chunk {
    const left = (this.#chunk?.bytes.length ?? 0) - this.#used;
    const isRoom = text.length * mostBytesPerUnit <= left || Buffer.byteLength(text) <= left;
    if (this.#chunk !== undefined && isRoom) return this.#chunk;
    const bytes = Math.max(this.#nextChunkBytes, Buffer.byteLength(text));
    this.#nextChunkBytes = Math.min(2 * this.#nextChunkBytes, largestChunkBytes);
    this.#used = 0;
    if (this.#chunk !== undefined) this.#spareOf(this.#chunk);
    return (this.#chunk = this.#spareFor(bytes) ?? new Chunk(bytes));
  }

  /** Puts a chunk by, where all of it may be written over. */
  #spareOf(chunk: Chunk): void {
    if (chunk.held === 0 && chunk.bytes.length === largestChunkBytes) this.#spare = chunk;
  }

  #spareFor(bytes: number): Chunk | undefined {
    const spare = this.#spare;
    // It may be held again since it was put by.
    if (spare === undefined || spare.held > 0 || bytes > largestChunkBytes) return undefined;
    this.#spare = undefined;
    spare.turn++;
    return spare;
  }
}
