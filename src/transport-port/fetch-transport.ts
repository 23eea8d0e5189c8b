/** The transport of requests in this process: a `Request` in, a `Response` out, no socket. */
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

interface FetchTransportOptions {
  /** Refuses later calls of a merchant. */
  readonly refuseNext?: RefuseNext;
  /** The body, if the caller sent a string. Reading it from the stream of the request would cost more. */
  readonly text?: string | undefined;
  /** Calls that wait, which end when the sandbox closes. */
  readonly pending?: PendingCalls;
}

/**
 * Shows a fault as `fetch` would: a rejected promise with the code of a socket error, a body stream that fails, a slow
 * stream. A `Response` cannot say that no answer arrived, so `fault` holds what the caller's promise rejects with.
 */
export class FetchTransport implements Transport {
  readonly #request: Request;
  /** A copy: the getter of a request builds the text each time. */
  readonly #url: string;
  /** A copy, by names in lower case: a request is slow to find a header, and each is needed several times. */
  readonly #headers: ReadonlyMap<string, string>;
  /** Aborts when the caller leaves. */
  readonly #signal: AbortSignal;
  #listener: ((delivery: Delivery) => void) | undefined;
  #body: string | null = null;
  #encoded = false;
  readonly #text: string | undefined;
  readonly #refuseNext: RefuseNext | undefined;
  readonly #pending: PendingCalls | undefined;
  /** Rejects the call before it has an answer. */
  #leaveCall: ((reason: unknown) => void) | undefined;
  /** The answer has no reader any more: the caller left, the body failed, or the sandbox closed. */
  #hasLeft = false;
  /** What the caller's promise rejects with, instead of an answer. */
  fault: unknown;
  /** Whether the delivery was reported. Later events change nothing. */
  hasAnswered = false;

  constructor(request: Request, { refuseNext, text, pending }: FetchTransportOptions = {}) {
    this.#request = request;
    this.#url = request.url;
    this.#headers = byName(request.headers);
    this.#signal = request.signal;
    this.#text = text;
    this.#refuseNext = refuseNext;
    this.#pending = pending;
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

  /** Calls in one process have no connections. */
  get reusedConnection(): undefined {
    return undefined;
  }

  get arrival(): undefined {
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
    let release: (() => void) | undefined;
    let later: NodeJS.Immediate | undefined;
    try {
      // A reader costs less than half of what iterating over the stream costs.
      const reader = body.getReader();
      // Most bodies are complete at once, and a listener costs more than reading them.
      later = setImmediate(() => {
        release = this.#hold((reason) => {
          void reader.cancel(reason).catch(() => undefined);
        });
      });
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- each chunk follows the one before
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
      release?.();
    }
    if (this.#hasLeft) return 'gone';
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }

  onDelivery(listener: (delivery: Delivery) => void): void {
    this.#listener = listener;
  }

  onLeave(listener: () => void): () => void {
    return this.#hold((reason) => {
      listener();
      this.#leaveCall?.(reason);
    });
  }

  /** The answer, or a rejection as soon as the caller leaves a request that is held. */
  answerOf(answer: Response | Promise<Response>): Response | Promise<Response> {
    if (!(answer instanceof Promise)) return answer;
    return new Promise((resolve, reject) => {
      this.#leaveCall = reject;
      answer.then(resolve, reject);
    });
  }

  send(reply: Reply): Response {
    const bytes = lengthOf(reply);
    this.#body = reply.body;
    this.#encoded = isEncoded(reply);
    this.#reportDelivery(bytes, this.#handed(bytes), true);
    const init = { status: reply.status, headers: reply.headers };
    // A real fetch would decode a body with this header, and fail: none of our bodies is encoded.
    return this.#encoded
      ? new Response(breakingStream(new Uint8Array(), 'Z_DATA_ERROR'), init)
      : new Response(reply.body, init);
  }

  /** Calls that are made together, after others in this process, arrive within one turn of the event loop. */
  gather(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  async pause(delayMs: number): Promise<void> {
    const left = new AbortController();
    const release = this.#hold(() => {
      left.abort();
    });
    // It rejects when the client leaves. The pipeline continues, and notices when it answers.
    await sleep(delayMs, undefined, { signal: left.signal }).catch(() => undefined);
    release();
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
    this.#reportDelivery(body.byteLength, this.#handed(part.byteLength), false);
    return new Response(breakingStream(part, 'UND_ERR_SOCKET'), {
      status: reply.status,
      headers: { ...reply.headers, 'Content-Length': String(body.byteLength) },
    });
  }

  sendSlowly(reply: Reply, chunkBytes: number, gapMs: number): Promise<Response> {
    const body = Buffer.from(reply.body ?? '');
    const left = new AbortController();
    let release: (() => void) | undefined;
    let sent = 0;
    const over = (whole: boolean, clientLeft = false): void => {
      this.#reportDelivery(body.byteLength, Math.min(sent, body.byteLength), whole, clientLeft);
      release?.();
    };
    this.#body = reply.body;
    this.hasAnswered = true;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          release = this.#hold((reason) => {
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
    this.#reportDelivery(lengthOf(reply), 0, false);
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
    this.#reportDelivery(0, 0, false);
    // Hono copies the answer to a HEAD request, and cannot copy an error response.
    return isBodiless(this) ? new Response(null) : Response.error();
  }

  /** Calls `end` when the caller leaves or the sandbox closes. Call the returned function to stop that. */
  #hold(end: (reason: unknown) => void): () => void {
    const signal = this.#signal;
    const leave = (reason: unknown): void => {
      release();
      this.#leave(reason);
      end(reason);
    };
    const onAbort = (): void => {
      leave(signal.reason);
    };
    const onClose = (): void => {
      leave(new ConnectionError('UND_ERR_SOCKET'));
    };
    const release = (): void => {
      signal.removeEventListener('abort', onAbort);
      this.#pending?.delete(onClose);
    };
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener('abort', onAbort);
      this.#pending?.add(onClose);
    }
    return release;
  }

  #leave(reason: unknown): void {
    this.#hasLeft = true;
    this.fault ??= reason;
  }

  /** How many of these bytes reach the caller: none, if the caller has left. */
  #handed(bytes: number): number {
    return this.#hasLeft || this.#signal.aborted ? 0 : bytes;
  }

  #reportDelivery(
    bytesTotal: number,
    bytesDelivered: number,
    whole: boolean,
    clientLeft = false,
  ): void {
    this.hasAnswered = true;
    if (this.#signal.aborted) this.#leave(this.#signal.reason);
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

/** Headers by name. Values of one name are joined, as over a socket. `Headers` itself does not join cookies. */
function byName(headers: Headers): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return joined;
}

/** A body that fails after these bytes. */
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
