/** A transport over a web-standard `Request` and `Response`, with no socket between. */
import { clearImmediate, setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingCalls } from './pending-calls.ts';
import {
  ConnectionError,
  isBodiless,
  isEncoded,
  type Body,
  type Delivery,
  type RefusingMerchant,
  type Reply,
  type Transport,
} from './transport.ts';

type RefuseNext = (lastsMs: number, by: RefusingMerchant) => void;

/** What a transport looks at of a request. */
type Asked = Pick<Request, 'method' | 'url' | 'headers' | 'body'>;

/** What the server knows of a request. */
interface FetchTransportOptions {
  /** Keeps the server shut for a merchant; without it there is no server. */
  readonly refuseNext?: RefuseNext;
  /** What the caller can leave by; `null` where nobody can. */
  readonly signal: AbortSignal | null;
  /** The body, where it was sent as a text. Then it is not looked for in the request. */
  readonly text?: string | undefined;
  /** Where the server keeps the calls that it ends when it closes. */
  readonly held?: PendingCalls;
}

/**
 * Faults are the nearest thing that `fetch` can show: a rejected promise with the code a socket would give, a body
 * stream that errors, a slow stream. A `Response` cannot say that there was no answer, so the transport keeps the fault for
 * the server to throw.
 */
export class FetchTransport implements Transport {
  readonly #request: Asked;
  /** A request writes it anew for whoever asks. */
  readonly #url: string;
  /** By names in small letters. Each is asked for several times, and the request's own are slow to answer. */
  readonly #headers: ReadonlyMap<string, string>;
  /** What a caller can leave by. */
  readonly #signal: AbortSignal | null;
  #listener: ((delivery: Delivery) => void) | undefined;
  #body: string | null = null;
  #encoded = false;
  readonly #text: string | undefined;
  readonly #refuseNext: RefuseNext | undefined;
  readonly #held: PendingCalls | undefined;
  /** Nobody takes an answer any more: the caller left, their body broke, or the server closed. */
  #hasLeft = false;
  /** What the server rejects with in place of an answer. */
  fault: unknown;
  /** It was said what became of the answer, so nothing that happens later changes it. */
  hasAnswered = false;

  constructor(request: Asked, { refuseNext, signal, text, held }: FetchTransportOptions) {
    this.#request = request;
    this.#url = request.url;
    this.#headers = byName(request.headers);
    this.#signal = signal;
    this.#text = text;
    this.#refuseNext = refuseNext;
    this.#held = held;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#url.slice(this.origin.length);
  }

  get origin(): string {
    return this.#url.slice(0, this.#url.indexOf('/', this.#url.indexOf('//') + 2));
  }

  /** Calls in one process share nothing that could be used again. */
  get reusedConnection(): undefined {
    return undefined;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  eachHeader(show: (name: string, value: string) => void): void {
    for (const [name, value] of this.#headers) show(name, value);
  }

  async readBody(maxBytes: number): Promise<Body> {
    if (this.#text !== undefined) {
      const bytes = Buffer.from(this.#text);
      return bytes.byteLength > maxBytes ? 'too-large' : bytes;
    }
    const { body } = this.#request;
    if (body === null) return new Uint8Array();
    const chunks: Uint8Array[] = [];
    let length = 0;
    let letGo: (() => void) | undefined;
    let later: NodeJS.Immediate | undefined;
    try {
      // Less than half of what iterating over it costs.
      const reader = body.getReader();
      // Most bodies are there at once, and to listen for who leaves costs more than to read them.
      later = setImmediate(() => {
        letGo = this.#hold((reason) => {
          void reader.cancel(reason).catch(() => undefined);
        });
      });
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one piece comes after the other
        const { done, value } = await reader.read();
        if (done) break;
        length += value.byteLength;
        if (length > maxBytes) {
          void reader.cancel().catch(() => undefined);
          return 'too-large';
        }
        chunks.push(value);
      }
    } catch (cause) {
      this.#leave(new TypeError('fetch failed', { cause }));
    } finally {
      clearImmediate(later);
      letGo?.();
    }
    if (this.#hasLeft) return 'gone';
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }

  onDelivery(listener: (delivery: Delivery) => void): void {
    this.#listener = listener;
  }

  send(reply: Reply): Response {
    const bytes = lengthOf(reply);
    this.#body = reply.body;
    this.#encoded = isEncoded(reply);
    this.#delivered(bytes, this.#handed(bytes), true);
    const init = { status: reply.status, headers: reply.headers };
    // A client's fetch decodes what it is told is encoded, and none of our bodies is.
    return this.#encoded
      ? new Response(breakingStream(new Uint8Array(), 'Z_DATA_ERROR'), init)
      : new Response(reply.body, init);
  }

  async pause(delayMs: number): Promise<void> {
    const left = new AbortController();
    const letGo = this.#hold(() => {
      left.abort();
    });
    // A rejection is the client leaving; whoever waits goes on and finds out when it answers.
    await sleep(delayMs, undefined, { signal: left.signal }).catch(() => undefined);
    letGo();
  }

  reset(): Response {
    return this.#broken(new ConnectionError('ECONNRESET'));
  }

  close(): Response {
    return this.#broken(new ConnectionError('UND_ERR_SOCKET'));
  }

  sendPart(reply: Reply, bytes: number): Response {
    const body = Buffer.from(reply.body ?? '');
    const part = body.subarray(0, bytes);
    this.#delivered(body.byteLength, this.#handed(part.byteLength), false);
    return new Response(breakingStream(part, 'UND_ERR_SOCKET'), {
      status: reply.status,
      headers: { ...reply.headers, 'Content-Length': String(body.byteLength) },
    });
  }

  sendSlowly(reply: Reply, chunkBytes: number, gapMs: number): Promise<Response> {
    const body = Buffer.from(reply.body ?? '');
    const left = new AbortController();
    let letGo: (() => void) | undefined;
    let sent = 0;
    const over = (whole: boolean, clientLeft = false): void => {
      this.#delivered(body.byteLength, Math.min(sent, body.byteLength), whole, clientLeft);
      letGo?.();
    };
    this.#body = reply.body;
    this.hasAnswered = true;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          letGo = this.#hold((reason) => {
            left.abort();
            over(false);
            controller.error(reason);
          });
        },
        pull: async (controller) => {
          const { signal } = left;
          if (sent > 0) await sleep(gapMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return;
          controller.enqueue(body.subarray(sent, sent + chunkBytes));
          sent += chunkBytes;
          if (sent < body.byteLength) return;
          over(true);
          controller.close();
        },
        cancel: () => {
          over(false, true);
        },
      },
      { highWaterMark: 0 },
    );
    return Promise.resolve(
      new Response(stream, { status: reply.status, headers: { ...reply.headers } }),
    );
  }

  sendAndLinger(reply: Reply): Response {
    return this.send({ ...reply, headers: { ...reply.headers, Connection: 'close' } });
  }

  sendRaw(): Response {
    return this.#broken(new ConnectionError('HPE_INVALID_CONSTANT'));
  }

  sendBadChunk(reply: Reply): Response {
    this.#delivered(lengthOf(reply), 0, false);
    return new Response(breakingStream(new Uint8Array(), 'HPE_INVALID_CHUNK_SIZE'), {
      status: reply.status,
      headers: { ...reply.headers },
    });
  }

  refuse(lastsMs: number, by: RefusingMerchant): Response {
    this.#refuseNext?.(lastsMs, by);
    return this.#broken(new ConnectionError('ECONNREFUSED'));
  }

  #broken(fault: ConnectionError): Response {
    this.fault ??= fault;
    this.#delivered(0, 0, false);
    // The framework makes an answer to HEAD anew out of what it is given, and can make none of an error.
    return isBodiless(this) ? new Response(null) : Response.error();
  }

  /** Calls `end` where the caller leaves or the server closes, until what this gives is called. */
  #hold(end: (reason: unknown) => void): () => void {
    const signal = this.#signal;
    const leave = (reason: unknown): void => {
      letGo();
      this.#leave(reason);
      end(reason);
    };
    const onAbort = (): void => {
      leave(signal?.reason);
    };
    const onClose = (): void => {
      leave(new ConnectionError('UND_ERR_SOCKET'));
    };
    const letGo = (): void => {
      signal?.removeEventListener('abort', onAbort);
      this.#held?.letGo(onClose);
    };
    if (signal?.aborted === true) onAbort();
    else {
      signal?.addEventListener('abort', onAbort);
      this.#held?.hold(onClose);
    }
    return letGo;
  }

  #leave(reason: unknown): void {
    this.#hasLeft = true;
    this.fault ??= reason;
  }

  /** How many of these bytes reach whoever asked: none, where they left before. */
  #handed(bytes: number): number {
    return this.#hasLeft || this.#signal?.aborted === true ? 0 : bytes;
  }

  #delivered(bytesTotal: number, bytesDelivered: number, whole: boolean, clientLeft = false): void {
    this.hasAnswered = true;
    if (this.#signal?.aborted === true) this.#leave(this.#signal.reason);
    const left = clientLeft || this.#hasLeft;
    const bodiless = isBodiless(this);
    this.#listener?.({
      bytesTotal: bodiless ? 0 : bytesTotal,
      bytesDelivered: bodiless ? 0 : bytesDelivered,
      whole: whole && !left,
      clientLeft: left,
      body: bodiless ? null : this.#body,
      encoded: this.#encoded,
    });
    this.#listener = undefined;
  }
}

/** Those of one name joined, as over a socket: headers do so themselves with all but cookies. */
function byName(headers: Headers): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return joined;
}

/** A body that breaks once these bytes are read. */
function breakingStream(
  bytes: Uint8Array,
  code: ConstructorParameters<typeof ConnectionError>[0],
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
    },
    pull: (controller) => {
      controller.error(new ConnectionError(code));
    },
  });
}

function lengthOf(reply: Reply): number {
  return reply.body === null ? 0 : Buffer.byteLength(reply.body);
}
