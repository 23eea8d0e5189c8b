/** The transport over a socket. It writes answers without a `Response`, and its faults are real ones. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { nextMoment, type Arrival } from '../transport-port/arrival.ts';
import { withoutUserInfo } from '../transport-port/request-target.ts';
import {
  isBodiless,
  isEncoded,
  type Body,
  type Delivery,
  type RefusingMerchant,
  type Reply,
  type Transport,
} from '../transport-port/transport.ts';
import type { Scheme } from '../transport-port/listener-address.ts';
import type { Connections } from './connections.ts';
import { gatherMs } from './gathering.ts';
import { headText } from './head-text.ts';
import type { Outbox } from './outbox.ts';
import type { RequestAddress } from './request-address.ts';
import { discardRest } from './unread/discard-rest.ts';

/** What the transports of one server share. */
export interface ServerContext {
  readonly scheme: Scheme;
  readonly connections: Connections;
  /** Sends whole answers. */
  readonly outbox: Outbox;
  /** Refuses connections for a while, or until the signal aborts. */
  readonly refuseNext: (lastsMs: number, ended: AbortSignal) => void;
}

/** A request and its answer, as Node has them. */
export interface SocketExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What Hono gets when the transport has answered already. Nothing reads it, so one is enough. */
let placeholder: Response | undefined;

export class SocketTransport implements Transport {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly arrival: Arrival;
  #listener: ((delivery: Delivery) => void) | undefined;
  #bytesTotal = 0;
  #bytesHanded = 0;
  #body: string | null = null;
  #encoded = false;
  /** Whether a fault ended the connection. Then its end says nothing about the client. */
  #broken = false;
  /** Whether the client left a request that waited. Then no answer reaches it, even while its connection still ends. */
  #hasLeft = false;
  /** Whether this transport has sent the answer, or broken the connection. */
  hasAnswered = false;

  readonly origin: string;
  readonly target: string;
  readonly #server: ServerContext;
  #signal: AbortSignal | undefined;

  constructor(
    { incoming, outgoing }: SocketExchange,
    address: RequestAddress,
    server: ServerContext,
  ) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.origin = address.origin;
    this.target = withoutUserInfo(address.target);
    this.#server = server;
    this.arrival = server.connections.note(outgoing);
  }

  get reusedConnection(): boolean {
    return !this.arrival.isFirst;
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }

  /** Made on first use, because `/v1` never needs it. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const left = new AbortController();
      const outgoing = this.#outgoing;
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) left.abort('The client closed the connection.');
      });
      this.#signal = left.signal;
    }
    return this.#signal;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  eachHeader(show: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#incoming;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      show((rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '');
    }
  }

  /** Whether the client still sends a body. The body is too large, or the operation reads none. */
  get isBodyIncomplete(): boolean {
    return !this.#incoming.complete;
  }

  readBody(maxBytes: number): Promise<Body> {
    const incoming = this.#incoming;
    if (incoming.destroyed) return Promise.resolve('gone');
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
      return Promise.resolve('too-large');
    }
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const onData = (chunk: Buffer): void => {
        length += chunk.byteLength;
        if (length > maxBytes) {
          incoming.off('data', onData);
          incoming.pause();
          resolve('too-large');
        } else chunks.push(chunk);
      };
      incoming.on('data', onData);
      // Each event happens once anyway, and `once` would make two more objects for every request.
      incoming.on('end', () => {
        const [only] = chunks;
        resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
      });
      incoming.on('close', () => {
        if (!incoming.readableEnded) resolve('gone');
      });
    });
  }

  onDelivery(listener: (delivery: Delivery) => void): void {
    this.#listener = listener;
    const outgoing = this.#outgoing;
    const { socket } = this.#incoming;
    const over = (): void => {
      this.#reportDelivery(outgoing.writableFinished && !this.#broken);
    };
    // The listener is called only once, even if `close` happens twice.
    outgoing.on('close', over);
    // A connection that has ended emits no more events.
    if (socket.destroyed) queueMicrotask(over);
    // An answer that waits for earlier ones has no socket yet, and gets no event when the connection ends.
    else if (outgoing.socket === null) {
      socket.once('close', over);
      outgoing.once('close', () => socket.off('close', over));
    }
  }

  onLeave(listener: () => void): () => void {
    const { socket } = this.#incoming;
    const stop = (): void => {
      for (const event of ['end', 'close']) socket.off(event, leave);
    };
    const leave = (): void => {
      stop();
      this.#hasLeft = true;
      listener();
    };
    if (socket.destroyed || socket.readableEnded) leave();
    // The end of what the client sends comes first, and before anything that it sends on other connections.
    else for (const event of ['end', 'close']) socket.on(event, leave);
    return stop;
  }

  send(reply: Reply): Response {
    const { body } = reply;
    const length = body === null ? 0 : Buffer.byteLength(body);
    this.#bytesTotal = length;
    this.#body = body;
    this.#encoded = isEncoded(reply);
    this.#outgoing.writeHead(reply.status, headOf(reply, length));
    this.#server.outbox.put(() => {
      this.arrival.answeredAt = nextMoment();
      if (this.isBodyIncomplete) {
        this.#sendBesideBody(body, length);
        return;
      }
      this.#sendWhole(body);
      if (this.#outgoing.socket !== null && !this.#outgoing.destroyed) this.#bytesHanded = length;
    });
    return this.#answered();
  }

  /** Writes the answer in one piece. `end(body)` would write another, empty one. */
  #sendWhole(body: string | null): void {
    const outgoing = this.#outgoing;
    const { socket } = outgoing;
    if (body !== null && socket !== null) {
      socket.cork();
      outgoing.write(body);
      socket.uncork();
      outgoing.end();
    } else outgoing.end(body ?? undefined);
  }

  /** Sends the answer at once, and ends it when the client has sent the rest of its body. */
  #sendBesideBody(body: string | null, length: number): void {
    const [incoming, outgoing] = [this.#incoming, this.#outgoing];
    if (body === null) outgoing.flushHeaders();
    else {
      outgoing.write(body, (failure) => {
        if (failure) return;
        this.#bytesHanded = length;
        this.#reportDelivery(true);
      });
    }
    void discardRest(incoming).then(() =>
      outgoing.end(() => {
        // The rest of the body would be read as the next request.
        if (!incoming.complete) incoming.socket.destroy();
      }),
    );
  }

  /**
   * Gives other workers of the client time to send their requests. A request on this connection would otherwise come
   * after the answer, and a pool uses one connection for both if its threads start only a little apart. The turn after
   * the wait reads what arrived while this process was not running.
   */
  gather(): Promise<void> | undefined {
    return this.arrival.isFromHere ? undefined : sleep(gatherMs()).then(() => nextTurn());
  }

  async pause(delayMs: number): Promise<void> {
    const { socket } = this.#incoming;
    if (socket.destroyed) return;
    const left = new AbortController();
    const onClose = (): void => {
      left.abort();
    };
    socket.once('close', onClose);
    // It rejects when the client leaves. The pipeline continues, and notices that the connection has ended.
    await sleep(delayMs, undefined, { signal: left.signal }).catch(() => undefined);
    socket.off('close', onClose);
  }

  reset(): Response {
    this.#break();
    this.#server.connections.reset(this.#incoming.socket);
    return this.#answered();
  }

  close(): Response {
    this.#break();
    this.#incoming.socket.end();
    // Unread data would turn the close into a reset.
    this.#incoming.socket.resume();
    this.#incoming.socket.once('finish', () => this.#incoming.socket.destroy());
    return this.#answered();
  }

  sendPart(reply: Reply, bytes: number): Response {
    const body = Buffer.from(reply.body ?? '');
    const part = body.subarray(0, bytes);
    this.#break();
    this.#bytesTotal = body.byteLength;
    this.#bytesHanded = part.byteLength;
    this.#outgoing.writeHead(reply.status, headOf(reply, body.byteLength));
    this.#outgoing.flushHeaders();
    this.#outgoing.write(part, () => {
      this.#incoming.socket.end();
      this.#incoming.socket.once('finish', () => this.#incoming.socket.destroy());
    });
    return this.#answered();
  }

  async sendSlowly(reply: Reply, chunkBytes: number, gapMs: number): Promise<Response> {
    const body = Buffer.from(reply.body ?? '');
    this.#bytesTotal = body.byteLength;
    this.#body = reply.body;
    this.#outgoing.writeHead(reply.status, headOf(reply, body.byteLength));
    this.#outgoing.flushHeaders();
    this.arrival.answeredAt = nextMoment();
    for (let sent = 0; sent < body.byteLength && !this.#outgoing.destroyed; sent += chunkBytes) {
      // oxlint-disable-next-line no-await-in-loop -- the outcome asks for a gap between two pieces
      if (sent > 0) await this.pause(gapMs);
      if (this.#outgoing.destroyed) break;
      this.#outgoing.write(body.subarray(sent, sent + chunkBytes));
      this.#bytesHanded = Math.min(sent + chunkBytes, body.byteLength);
    }
    this.#outgoing.end();
    return this.#answered();
  }

  async sendAndLinger(reply: Reply, lingerMs: number): Promise<Response> {
    const { socket } = this.#incoming;
    const { body } = reply;
    const length = body === null ? 0 : Buffer.byteLength(body);
    this.#bytesTotal = length;
    this.#body = body;
    await this.#whenFirst();
    // Node would close the connection at once after `Connection: close`.
    const head = headText(reply, body === null ? {} : { 'Content-Length': String(length) });
    this.arrival.answeredAt = nextMoment();
    socket.write(isBodiless(this) || body === null ? head : head + body, (failure) => {
      if (failure) return;
      this.#bytesHanded = length;
      this.#reportDelivery(true);
    });
    await this.pause(lingerMs);
    return this.close();
  }

  sendBadChunk(reply: Reply): Response {
    this.#bytesTotal = Buffer.byteLength(reply.body ?? '');
    return this.sendRaw(`${headText(reply, { 'Transfer-Encoding': 'chunked' })}size\r\n`);
  }

  sendRaw(bytes: string): Response {
    const { socket } = this.#incoming;
    void this.#whenFirst().then(() => {
      this.#broken ||= !socket.destroyed;
      socket.end(bytes);
      socket.once('finish', () => socket.destroy());
    });
    return this.#answered();
  }

  /** Notes that the client gets no complete answer. What it sends from now on may be a reaction to that. */
  #break(): void {
    this.#broken = true;
    if (this.arrival.answeredAt === Number.POSITIVE_INFINITY)
      this.arrival.answeredAt = nextMoment();
  }

  refuse(lastsMs: number, { ended }: RefusingMerchant): Response {
    this.#server.refuseNext(lastsMs, ended.signal);
    return this.reset();
  }

  /**
   * Resolves when all earlier answers of this connection are sent, or it has ended. Node keeps answers in order, but not
   * bytes that are written to the socket directly.
   */
  #whenFirst(): Promise<void> {
    const [{ socket }, outgoing] = [this.#incoming, this.#outgoing];
    if (outgoing.socket !== null || socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        socket.off('close', done);
        outgoing.off('socket', done);
        resolve();
      };
      socket.once('close', done);
      outgoing.once('socket', done);
    });
  }

  /** Calls the listener once. */
  #reportDelivery(isSent: boolean): void {
    const bodiless = isBodiless(this);
    const bytesTotal = bodiless ? 0 : this.#bytesTotal;
    const whole = isSent && !this.#hasLeft;
    const bytesHanded = this.#hasLeft ? 0 : this.#bytesHanded;
    this.#listener?.({
      bytesTotal,
      bytesDelivered: whole || bodiless ? bytesTotal : bytesHanded,
      whole,
      clientLeft: !whole && !this.#broken,
      body: bodiless ? null : this.#body,
      encoded: this.#encoded,
    });
    this.#listener = undefined;
  }

  #answered(): Response {
    this.hasAnswered = true;
    return (placeholder ??= new Response(null));
  }
}

/** Alternates names and values, as `writeHead` accepts them. That is much faster than a copy of the object. */
function headOf({ headers, body }: Reply, length: number): string[] {
  const head: string[] = [];
  for (const name of Object.keys(headers)) head.push(name, headers[name] ?? '');
  if (body !== null) head.push('Content-Length', String(length));
  return head;
}
