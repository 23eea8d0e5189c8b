/** The transport of requests in this process: no socket, and a `Response` for an answer. */
import { clearImmediate, setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyReader } from './fetch-body.ts';
import type { FetchCall } from './fetch-call.ts';
import type { PendingCalls } from './pending-calls.ts';
import { withoutUserInfo } from './request-target.ts';
import {
  ConnectionError,
  type FaultCode,
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
  /** Calls that wait, which end when the sandbox closes. */
  readonly pending?: PendingCalls;
}

/**
 * Shows a fault as `fetch` would: a rejected promise with the code of a socket error, a body stream that fails, a slow
 * stream. A `Response` cannot say that no answer arrived, so `fault` holds what the caller's promise rejects with.
 */
export class FetchTransport implements Transport {
  readonly #call: FetchCall;
  readonly origin: string;
  readonly target: string;
  #listener: ((delivery: Delivery) => void) | undefined;
  #body: string | null = null;
  #encoded = false;
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

  constructor(call: FetchCall, { refuseNext, pending }: FetchTransportOptions = {}) {
    const { url } = call;
    const end = url.indexOf('/', url.indexOf('//') + 2);
    this.#call = call;
    this.origin = url.slice(0, end);
    this.target = withoutUserInfo(url.slice(end));
    this.#refuseNext = refuseNext;
    this.#pending = pending;
  }

  get method(): string {
    return this.#call.method;
  }

  get signal(): AbortSignal | undefined {
    return this.#call.signal;
  }

  /** Calls in one process have no connections. */
  get reusedConnection(): undefined {
    return undefined;
  }

  get arrival(): undefined {
    return undefined;
  }

  header(name: string): string | undefined {
    return this.#call.headers.get(name);
  }

  eachHeader(show: (name: string, value: string) => void): void {
    for (const [name, value] of this.#call.headers) show(name, value);
  }

  async readBody(maxBytes: number): Promise<Body> {
    const { body } = this.#call;
    if (body === null) return new Uint8Array();
    if (body.bytes !== undefined) {
      return body.bytes.byteLength > maxBytes ? 'too-large' : body.bytes;
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    let release: (() => void) | undefined;
    let later: NodeJS.Immediate | undefined;
    let reader: BodyReader | undefined;
    try {
      reader = body.read?.();
      // Most bodies are complete at once, and a listener costs more than reading them.
      later = setImmediate(() => {
        release = this.#hold((reason) => {
          reader?.cancel(reason);
        });
      });
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- each chunk follows the one before
        const chunk = await reader?.next();
        if (chunk === undefined) break;
        length += chunk.byteLength;
        if (length > maxBytes) {
          reader?.cancel();
          return 'too-large';
        }
        chunks.push(chunk);
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
    this.#reportDelivery(bytes, this.#bytesReceived(bytes), true);
    // A real fetch would decode a body with this header, and fail: none of our bodies is encoded.
    return this.#encoded
      ? this.#sendBreaking(reply, 'Z_DATA_ERROR')
      : this.#response(reply, reply.body);
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
    return this.#fail(new ConnectionError('ECONNRESET'));
  }

  close(): Response {
    return this.#fail(new ConnectionError('UND_ERR_SOCKET'));
  }

  sendPart(reply: Reply, bytes: number): Response {
    const body = Buffer.from(reply.body ?? '');
    const part = body.subarray(0, bytes);
    this.#reportDelivery(body.byteLength, this.#bytesReceived(part.byteLength), false);
    const headers = { ...reply.headers, 'Content-Length': String(body.byteLength) };
    return this.#sendBreaking({ ...reply, headers }, 'UND_ERR_SOCKET', part);
  }

  async sendSlowly(reply: Reply, chunkBytes: number, gapMs: number): Promise<Response> {
    if (!hasStreams()) {
      await this.pause(gapMs * (Math.ceil(lengthOf(reply) / chunkBytes) - 1));
      return this.send(reply);
    }
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
    return this.#response(reply, stream);
  }

  sendAndLinger(reply: Reply): Response {
    return this.send({ ...reply, headers: { ...reply.headers, Connection: 'close' } });
  }

  sendRaw(): Response {
    return this.#fail(new ConnectionError('HPE_INVALID_CONSTANT'));
  }

  sendBadChunk(reply: Reply): Response {
    this.#reportDelivery(lengthOf(reply), 0, false);
    return this.#sendBreaking(reply, 'HPE_INVALID_CHUNK_SIZE');
  }

  refuse(lastsMs: number, by: RefusingMerchant): Response {
    this.#refuseNext?.(lastsMs, by);
    return this.#fail(new ConnectionError('ECONNREFUSED'));
  }

  /** Gives the caller an error in place of an answer. */
  #fail(fault: ConnectionError): Response {
    this.fault ??= fault;
    this.#reportDelivery(0, 0, false);
    return Response.error();
  }

  #response({ status, headers }: Reply, body: string | ReadableStream | null): Response {
    return new Response(isBodiless(this) ? null : body, { status, headers });
  }

  /** Sends an answer whose body fails after some bytes. */
  #sendBreaking(reply: Reply, code: FaultCode, part = new Uint8Array()): Response {
    return hasStreams()
      ? this.#response(reply, breakingStream(part, code))
      : this.#fail(new ConnectionError(code));
  }

  /** Calls `end` when the caller leaves or the sandbox closes. Call the returned function to stop that. */
  #hold(end: (reason: unknown) => void): () => void {
    const { signal } = this.#call;
    const leave = (reason: unknown): void => {
      release();
      this.#leave(reason);
      end(reason);
    };
    const onAbort = (): void => {
      leave(reasonOf(signal));
    };
    const onClose = (): void => {
      leave(new ConnectionError('UND_ERR_SOCKET'));
    };
    const release = (): void => {
      signal?.removeEventListener('abort', onAbort);
      this.#pending?.delete(onClose);
    };
    if (signal?.aborted === true) onAbort();
    else {
      signal?.addEventListener('abort', onAbort);
      this.#pending?.add(onClose);
    }
    return release;
  }

  #leave(reason: unknown): void {
    this.#hasLeft = true;
    this.fault ??= reason;
  }

  /** How many of these bytes reach the caller: none, if the caller has left. */
  #bytesReceived(bytes: number): number {
    return this.#hasLeft || this.signal?.aborted === true ? 0 : bytes;
  }

  #reportDelivery(
    bytesTotal: number,
    bytesDelivered: number,
    whole: boolean,
    clientLeft = false,
  ): void {
    this.hasAnswered = true;
    if (this.signal?.aborted === true) this.#leave(reasonOf(this.signal));
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

/** Why a signal aborted. The signals of imitated browsers may have no reason. */
export function reasonOf(signal: Partial<AbortSignal> | undefined): unknown {
  return signal?.reason ?? new DOMException('This operation was aborted', 'AbortError');
}

/** Whether the global `Response` takes streams. Those of polyfills take none, or only streams of Node. */
function hasStreams(): boolean {
  const { body } = new Response(new ReadableStream());
  return typeof body === 'object' && body !== null && 'getReader' in body;
}

/** A body that fails after these bytes. */
function breakingStream(bytes: Uint8Array, code: FaultCode): ReadableStream<Uint8Array> {
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
