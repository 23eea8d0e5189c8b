/** A transport straight to the socket: answers are written whole, with no Response object between, and faults are real. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isBodiless,
  isEncoded,
  type Body,
  type Delivery,
  type RefusingMerchant,
  type Reply,
  type Transport,
} from '../transport-port/transport.ts';
import type { Connections } from './connections.ts';
import type { Outbox } from './outbox.ts';
import { restGone } from './unread-body.ts';

/** What a server is called by whoever does not say. */
export const nameless = 'localhost';

/** What the wires of one server share. */
export interface ServerContext {
  readonly connections: Connections;
  /** Where whole answers leave from. */
  readonly outbox: Outbox;
  /** Keeps the server shut for a while, or until somebody's world has ended. */
  readonly refuseNext: (lastsMs: number, ended: AbortSignal) => void;
}

/**
 * What the framework is given back once the transport has answered: nobody looks into it. A real Response would have every
 * start load all of Node's `fetch`, a seventh of its time.
 */
const notLookedInto = {} as Response;

export class SocketTransport implements Transport {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly reusedConnection: boolean;
  #listener: ((delivery: Delivery) => void) | undefined;
  #bytesTotal = 0;
  #bytesHanded = 0;
  #body: string | null = null;
  #encoded = false;
  /** We ended the connection on purpose: its end is no news of the client. */
  #broken = false;
  /** The answer is this transport's, whatever the framework makes of what it was given back. */
  hasAnswered = false;

  readonly #server: ServerContext;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, server: ServerContext) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#server = server;
    this.reusedConnection = server.connections.take(outgoing);
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }

  get target(): string {
    return this.#incoming.url ?? '/';
  }

  get origin(): string {
    const { host } = this.#incoming.headers;
    return `http://${host === undefined || host === '' ? nameless : host}`;
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

  /** Whether the client is still sending a body: one that is too large, or that nobody asked for. */
  get isStillSent(): boolean {
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
      // By `on`, as each comes once in any case: `once` makes two more objects for every request.
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
      this.#delivered(outgoing.writableFinished && !this.#broken);
    };
    // By `on` as well: what is told twice is heard once.
    outgoing.on('close', over);
    // A connection that ended before there was an answer says so no more; what is answered next is not heard.
    if (socket.destroyed) queueMicrotask(over);
    // An answer that waits for earlier ones has no connection yet, and is not told when that ends.
    else if (outgoing.socket === null) {
      socket.once('close', over);
      outgoing.once('close', () => socket.off('close', over));
    }
  }

  send(reply: Reply): Response {
    const { body } = reply;
    const length = body === null ? 0 : Buffer.byteLength(body);
    this.#bytesTotal = length;
    this.#body = body;
    this.#encoded = isEncoded(reply);
    this.#outgoing.writeHead(reply.status, headOf(reply, length));
    this.#server.outbox.put(() => {
      if (this.isStillSent) {
        this.#sendBesideBody(body, length);
        return;
      }
      this.#sendWhole(body);
      if (this.#outgoing.socket !== null && !this.#outgoing.destroyed) this.#bytesHanded = length;
    });
    return this.#answered();
  }

  /** In one piece: what is given to `end` is followed by an empty piece, and a list of two costs a twentieth more to write. */
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

  /** The whole answer leaves at once, and ends with what its client is still sending. */
  #sendBesideBody(body: string | null, length: number): void {
    const [incoming, outgoing] = [this.#incoming, this.#outgoing];
    if (body === null) outgoing.flushHeaders();
    else {
      outgoing.write(body, (failure) => {
        if (failure) return;
        this.#bytesHanded = length;
        this.#delivered(true);
      });
    }
    void restGone(incoming).then(() =>
      outgoing.end(() => {
        // What is left would be taken for the next request.
        if (!incoming.complete) incoming.socket.destroy();
      }),
    );
  }

  async pause(delayMs: number): Promise<void> {
    const { socket } = this.#incoming;
    if (socket.destroyed) return;
    const left = new AbortController();
    const onClose = (): void => {
      left.abort();
    };
    socket.once('close', onClose);
    // A rejection is the client leaving; whoever waits goes on and finds the connection gone.
    await sleep(delayMs, undefined, { signal: left.signal }).catch(() => undefined);
    socket.off('close', onClose);
  }

  reset(): Response {
    this.#broken = true;
    this.#incoming.socket.resetAndDestroy();
    return this.#answered();
  }

  close(): Response {
    this.#broken = true;
    this.#incoming.socket.end();
    // What the client still sends is thrown away, or the end in good order would become a reset.
    this.#incoming.socket.resume();
    this.#incoming.socket.once('finish', () => this.#incoming.socket.destroy());
    return this.#answered();
  }

  sendPart(reply: Reply, bytes: number): Response {
    const body = Buffer.from(reply.body ?? '');
    const part = body.subarray(0, bytes);
    this.#broken = true;
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
    for (let sent = 0; sent < body.byteLength && !this.#outgoing.destroyed; sent += chunkBytes) {
      // oxlint-disable-next-line no-await-in-loop -- the gap between two pieces is what is asked for
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
    await this.#turn();
    // Written past the framework, which would end a connection that it is told to end.
    const head = headText(reply, body === null ? {} : { 'Content-Length': String(length) });
    socket.write(isBodiless(this) || body === null ? head : head + body, (failure) => {
      if (failure) return;
      this.#bytesHanded = length;
      this.#delivered(true);
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
    void this.#turn().then(() => {
      this.#broken ||= !socket.destroyed;
      socket.end(bytes);
      socket.once('finish', () => socket.destroy());
    });
    return this.#answered();
  }

  refuse(lastsMs: number, { ended }: RefusingMerchant): Response {
    this.#server.refuseNext(lastsMs, ended.signal);
    return this.reset();
  }

  /**
   * Settles once all earlier answers of this connection are out, or it has ended. The framework keeps answers in their
   * order; what is written past it has to wait by itself.
   */
  #turn(): Promise<void> {
    const [{ socket }, outgoing] = [this.#incoming, this.#outgoing];
    if (outgoing.socket !== null || socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const come = (): void => {
        socket.off('close', come);
        outgoing.off('socket', come);
        resolve();
      };
      socket.once('close', come);
      outgoing.once('socket', come);
    });
  }

  /** Says so once: what comes after is no news of this answer. */
  #delivered(whole: boolean): void {
    const bodiless = isBodiless(this);
    const bytesTotal = bodiless ? 0 : this.#bytesTotal;
    this.#listener?.({
      bytesTotal,
      bytesDelivered: whole || bodiless ? bytesTotal : this.#bytesHanded,
      whole,
      clientLeft: !whole && !this.#broken,
      body: bodiless ? null : this.#body,
      encoded: this.#encoded,
    });
    this.#listener = undefined;
  }

  #answered(): Response {
    this.hasAnswered = true;
    return notLookedInto;
  }
}

/** The head of an answer after which the connection ends, as it stands on the socket. */
function headText({ status, headers }: Reply, framing: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, ...framing, Connection: 'close' });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.map((pair) => pair.join(': ')),
    '',
    '',
  ].join('\r\n');
}

/** Names and values in turn: ten times quicker than a copy of the headers with one more. */
function headOf({ headers, body }: Reply, length: number): string[] {
  const head: string[] = [];
  for (const name of Object.keys(headers)) head.push(name, headers[name] ?? '');
  if (body !== null) head.push('Content-Length', String(length));
  return head;
}
