/** Texts outside the heap: on it, the collector would copy each of them twice and go past them for as long as they stay. */
import { Buffer } from 'node:buffer';

/** Most journals are short, and there may be thousands of them. */
const firstChunkBytes = 2 * 1024;
const largestChunkBytes = 64 * 1024;

/** No character of a string takes more in UTF-8. */
const mostBytesPerUnit = 3;

/** A text that is read when somebody asks for it. */
export interface StoredText {
  /** In UTF-8. */
  readonly bytes: number;
  read(): string;
}

class Stored implements StoredText {
  readonly #chunk: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #isAscii: boolean;

  constructor(chunk: Buffer, start: number, end: number, isAscii: boolean) {
    this.#chunk = chunk;
    this.#start = start;
    this.#end = end;
    this.#isAscii = isAscii;
  }

  get bytes(): number {
    return this.#end - this.#start;
  }

  /** Whether the other one reads the same; neither is read for that. */
  isSame(other: Stored): boolean {
    return (
      other.bytes === this.bytes &&
      this.#chunk.compare(other.#chunk, other.#start, other.#end, this.#start, this.#end) === 0
    );
  }

  read(): string {
    return this.#isAscii
      ? this.#chunk.toString('latin1', this.#start, this.#end)
      : this.#chunk.toString('utf8', this.#start, this.#end);
  }
}

/** Whether both read the same, or neither is there. */
export function isSameText(one: StoredText | undefined, other: StoredText | undefined): boolean {
  if (one === other) return true;
  return one instanceof Stored && other instanceof Stored && one.isSame(other);
}

/** Keeps texts in chunks, one after another. A chunk goes with the last of its texts. */
export class TextStore {
  #chunk: Buffer | undefined;
  #used = 0;
  #nextChunkBytes = firstChunkBytes;

  keep(text: string): StoredText {
    const chunk = this.#chunkFor(text);
    const start = this.#used;
    const bytes = chunk.write(text, start);
    this.#used += bytes;
    return new Stored(chunk, start, this.#used, bytes === text.length);
  }

  /** Begins anew, as small as at first. */
  clear(): void {
    this.#chunk = undefined;
    this.#used = 0;
    this.#nextChunkBytes = firstChunkBytes;
  }

  #chunkFor(text: string): Buffer {
    const left = (this.#chunk?.length ?? 0) - this.#used;
    const isRoom = text.length * mostBytesPerUnit <= left || Buffer.byteLength(text) <= left;
    if (this.#chunk !== undefined && isRoom) return this.#chunk;
    const bytes = Math.max(this.#nextChunkBytes, Buffer.byteLength(text));
    this.#nextChunkBytes = Math.min(2 * this.#nextChunkBytes, largestChunkBytes);
    this.#used = 0;
    // Not of the pool that Node shares: what else lies in there would live as long.
    return (this.#chunk = Buffer.allocUnsafeSlow(bytes));
  }
}
