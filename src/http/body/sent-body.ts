/** A body as it came, and what it says: decoded and parsed once, whoever asks and however often. */
import { restoreIds, mayContainLongId } from '../../outcomes/effects/long-id-dialect.ts';
import type { Body } from '../../transport-port/transport.ts';
import { parseBody, textOfBody, type Parsed } from './parse-body.ts';

/** UTF-16 does too, but for a zero beside each character. */
const opensAsJson = /^\s*[[{]/;

const noBytes = new Uint8Array();

export class SentBody {
  readonly bytes: Body;
  readonly #text: string | undefined;
  #parsed: Parsed | undefined;

  constructor(bytes: Body) {
    this.bytes = bytes;
    this.#text = typeof bytes === 'string' ? '' : textOfBody(bytes);
  }

  /**
   * What the journal keeps of it; `undefined` where there was none. Card data is found in JSON, and in what was meant to
   * be JSON: any other body could hold it in a form that nobody looks for, and is kept as its length.
   */
  get kept(): string | undefined {
    const { bytes } = this;
    if (typeof bytes === 'string' || bytes.byteLength === 0) return undefined;
    const text = this.#text;
    return text !== undefined && opensAsJson.test(text) && !text.includes('\0')
      ? text
      : `(${bytes.byteLength} bytes that are no JSON)`;
  }

  /** What it says, with the ids that are stored: this sandbox may have shown longer ones. */
  get parsed(): Parsed {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  /** The same before anybody has judged it: nothing where it cannot be read. */
  get asItCame(): unknown {
    if (typeof this.bytes === 'string') return undefined;
    return this.parsed.ok ? this.parsed.value : undefined;
  }

  #parse(): Parsed {
    const parsed = parseBody(this.#text);
    return parsed.ok && this.#text !== undefined && mayContainLongId(this.#text)
      ? { ok: true, value: restoreIds(parsed.value) }
      : parsed;
  }
}

/** For an operation that takes no body. */
export const noBody = new SentBody(noBytes);
