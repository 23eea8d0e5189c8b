/** A body as it came, and what it says: decoded and parsed once, whoever asks and however often. */
import { asStored, mayHoldLonger } from '../outcomes/longer-ids.ts';
import type { Body } from '../wire/wire.ts';
import { parseBody, textOfBody, type Parsed } from './body.ts';

const noBytes = new Uint8Array();

export class SentBody {
  readonly bytes: Body;
  readonly #text: string | undefined;
  #parsed: Parsed | undefined;

  constructor(bytes: Body) {
    this.bytes = bytes;
    this.#text = bytes instanceof Uint8Array ? textOfBody(bytes) : '';
  }

  /** What the journal keeps of it; `undefined` where there was none. */
  get kept(): string | undefined {
    const { bytes } = this;
    if (!(bytes instanceof Uint8Array) || bytes.byteLength === 0) return undefined;
    return this.#text ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  }

  /** What it says, with the ids that are stored: this sandbox may have shown longer ones. */
  get parsed(): Parsed {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  /** The same before anybody has judged it: nothing where it cannot be read. */
  get asItCame(): unknown {
    if (!(this.bytes instanceof Uint8Array)) return undefined;
    return this.parsed.ok ? this.parsed.value : undefined;
  }

  #parse(): Parsed {
    const parsed = parseBody(this.#text);
    return parsed.ok && this.#text !== undefined && mayHoldLonger(this.#text)
      ? { ok: true, value: asStored(parsed.value) }
      : parsed;
  }
}

/** For an operation that takes no body. */
export const noBody = new SentBody(noBytes);
