/** A wire over a web-standard `Request` and `Response`, with no socket between. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConnectionFault,
  isBodiless,
  isEncoded,
  type Body,
  type Delivery,
  type Reply,
  type Wire,
} from './wire.ts';

/** What the door knows of a request. */
interface AtDoor {
  /** Keeps the door shut for a while; without it there is no door. */
  readonly refuseNext?: (lastsMs: number) => void;
  /** `null` where nobody can leave: a request always has one, but a look at it costs a microsecond. */
  readonly signal?: AbortSignal | null;
  /** The body, where it was sent as a text. Then the request has none. */
  readonly sent?: string | undefined;
}

/**
 * Faults are the nearest thing that `fetch` can show: a rejected promise with the code a socket would give, a body
 * stream that errors, a slow stream. A `Response` cannot say that there was no answer, so the wire keeps the fault for
 * the door to throw.
 */
export class FetchWire implements Wire {
  readonly #request: Request;
  /** What a caller can leave by. */
  readonly #signal: AbortSignal | null;
  #listener: ((delivery: Delivery) => void) | undefined;
  #body: string | null = null;
  #encoded = false;
  readonly #sent: string | undefined;
  readonly #refuseNext: ((lastsMs: number) => void) | undefined;
  /** What the door rejects with in place of an answer. */
  fault: unknown;
  /** It was said what became of the answer, so nothing that happens later changes it. */
  hasAnswered = false;

  constructor(request: Request, { refuseNext, signal = request.signal, sent }: AtDoor = {}) {
    this.#request = request;
    this.#signal = signal;
    this.#sent = sent;
    this.#refuseNext = refuseNext;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#request.url.slice(this.origin.length);
  }

  get origin(): string {
    const { url } = this.#request;
    return url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
  }

  /** Calls in one process share nothing that could be used again. */
  get reusedConnection(): undefined {
    return undefined;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  headers(): Iterable<readonly [name: string, value: string]> {
    return this.#request.headers;
  }

  async readBody(maxBytes: number): Promise<Body> {
    if (this.#sent !== undefined) {
      const bytes = Buffer.from(this.#sent);
      return bytes.byteLength > maxBytes ? 'too-large' : bytes;
    }
    const { body } = this.#request;
    if (body === null) return new Uint8Array();
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      // Less than half of what iterating over it costs.
      const reader = body.getReader();
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
    } catch {
      return 'gone';
    }
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
    const signal = this.#signal ?? undefined;
    // A rejection is the client leaving; whoever waits goes on and finds out when it answers.
    await sleep(delayMs, undefined, { signal, ref: true }).catch(() => undefined);
    if (signal?.aborted === true) this.fault ??= signal.reason;
  }

  reset(): Response {
    return this.#broken(new ConnectionFault('ECONNRESET'));
  }

  close(): Response {
    return this.#broken(new ConnectionFault('UND_ERR_SOCKET'));
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
    const signal = this.#signal ?? undefined;
    let sent = 0;
    this.#body = reply.body;
    this.hasAnswered = true;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const onAbort = (): void => {
            this.#delivered(body.byteLength, Math.min(sent, body.byteLength), false);
            controller.error(signal?.reason);
          };
          if (signal?.aborted === true) onAbort();
          else signal?.addEventListener('abort', onAbort, { once: true });
        },
        pull: async (controller) => {
          if (sent > 0) await sleep(gapMs, undefined, { signal }).catch(() => undefined);
          if (signal?.aborted === true) return;
          controller.enqueue(body.subarray(sent, sent + chunkBytes));
          sent += chunkBytes;
          if (sent < body.byteLength) return;
          this.#delivered(body.byteLength, body.byteLength, true);
          controller.close();
        },
        cancel: () => {
          this.#delivered(body.byteLength, Math.min(sent, body.byteLength), false, true);
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
    return this.#broken(new ConnectionFault('HPE_INVALID_CONSTANT'));
  }

  sendBadChunk(reply: Reply): Response {
    this.#delivered(lengthOf(reply), 0, false);
    return new Response(breakingStream(new Uint8Array(), 'HPE_INVALID_CHUNK_SIZE'), {
      status: reply.status,
      headers: { ...reply.headers },
    });
  }

  refuse(lastsMs: number): Response {
    this.#refuseNext?.(lastsMs);
    return this.#broken(new ConnectionFault('ECONNREFUSED'));
  }

  #broken(fault: ConnectionFault): Response {
    this.fault ??= fault;
    this.#delivered(0, 0, false);
    // The framework makes an answer to HEAD anew out of what it is given, and can make none of an error.
    return isBodiless(this) ? new Response(null) : Response.error();
  }

  /** How many of these bytes reach whoever asked: none, where they left before. */
  #handed(bytes: number): number {
    return this.#signal?.aborted === true ? 0 : bytes;
  }

  #delivered(bytesTotal: number, bytesDelivered: number, whole: boolean, clientLeft = false): void {
    this.hasAnswered = true;
    const isAborted = this.#signal?.aborted === true;
    if (isAborted) this.fault ??= this.#signal?.reason;
    const left = clientLeft || isAborted;
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

/** A body that breaks once these bytes are read. */
function breakingStream(
  bytes: Uint8Array,
  code: ConstructorParameters<typeof ConnectionFault>[0],
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
    },
    pull: (controller) => {
      controller.error(new ConnectionFault(code));
    },
  });
}

function lengthOf(reply: Reply): number {
  return reply.body === null ? 0 : Buffer.byteLength(reply.body);
}
