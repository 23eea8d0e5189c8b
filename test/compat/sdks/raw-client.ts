/** Sends the requests of a client byte by byte over a socket, and reads the answers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Listening } from '../../../src/index.ts';
import { ClientToken } from './decoders.ts';

/** How one client writes its requests. */
export interface Habits {
  readonly name: string;
  /** The header lines of every call except the token call, in the client's order and spelling. */
  readonly headers: readonly string[];
  readonly tokenHeaders: readonly string[];
  /** Whether it waits for `100 Continue` before it sends a body. */
  readonly expectsContinue?: boolean;
  /** Whether it sends JSON in chunks, without Content-Length. */
  readonly chunksJson?: boolean;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; `undefined` without one. */
  readonly body: unknown;
}

interface Call {
  /** Exactly these bytes; absent for a request without a body. */
  readonly body?: string;
  /** The client sends one to every call, or to this one. */
  readonly requestId?: string;
  /** Replaces the Authorization header of the client's token. */
  readonly authorization?: string;
}

export class RawClient {
  readonly #at: Listening;
  readonly #habits: Habits;
  #authorization = '';

  constructor(at: Listening, habits: Habits) {
    this.#at = at;
    this.#habits = habits;
  }

  /** Requests a token as this client does, and sends it in the client's form from then on. */
  async authenticate(clientId: string, call: Call = {}): Promise<void> {
    const reply = await this.#send(
      'POST /v1/oauth2/token',
      [
        `Authorization: Basic ${btoa(`${clientId}:secret`)}`,
        ...this.#habits.tokenHeaders,
        ...requestIdLine(call),
      ],
      whole('grant_type=client_credentials'),
    );
    expect(reply.status, reply.text).toBe(200);
    const token = ClientToken.parse(reply.body);
    this.#authorization = `${token.token_type} ${token.access_token}`;
  }

  /** Sends a call, checks its status, and decodes the body as the client does. */
  async call<S extends z.ZodType>(
    requestLine: string,
    status: number,
    model: S,
    call: Call = {},
  ): Promise<z.output<S>> {
    const reply = await this.reply(requestLine, call);
    expect(reply.status, `${this.#habits.name}: ${requestLine} ${reply.text}`).toBe(status);
    return model.parse(reply.body);
  }

  /** Sends a call, and returns status and headers too. */
  reply(requestLine: string, call: Call = {}): Promise<RawReply> {
    const frame = this.#habits.chunksJson === true ? chunked : whole;
    return this.#send(
      requestLine,
      [
        `Authorization: ${call.authorization ?? this.#authorization}`,
        ...this.#habits.headers,
        ...requestIdLine(call),
      ],
      call.body === undefined ? undefined : frame(call.body),
    );
  }

  async #send(requestLine: string, headers: readonly string[], body: Framed | undefined) {
    const { host, port } = this.#at;
    const later = this.#habits.expectsContinue === true ? body : undefined;
    const head = [
      `${requestLine} HTTP/1.1`,
      `Host: ${host}:${port}`,
      ...headers,
      ...(body === undefined ? [] : [body.header]),
      ...(later === undefined ? [] : ['Expect: 100-continue']),
      '\r\n',
    ].join('\r\n');

    const socket = connect(port, host);
    try {
      await once(socket, 'connect');
      socket.write(later === undefined ? head + (body?.bytes ?? '') : head);
      let bytes = Buffer.alloc(0);
      for await (const chunk of socket) {
        bytes = Buffer.concat([bytes, z.instanceof(Buffer).parse(chunk)]);
        if (later !== undefined && bytes.toString('latin1').startsWith('HTTP/1.1 100 ')) {
          bytes = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
          socket.write(later.bytes);
        }
        const reply = readReply(bytes);
        if (reply !== undefined) return reply;
      }
    } finally {
      socket.destroy();
    }
    throw new Error(`The connection ended before ${requestLine} was answered.`);
  }
}

/** The encoded body, and the header that describes its encoding. */
interface Framed {
  readonly header: string;
  readonly bytes: string;
}

const whole = (body: string): Framed => ({
  header: `Content-Length: ${Buffer.byteLength(body)}`,
  bytes: body,
});

const chunked = (body: string): Framed => ({
  header: 'Transfer-Encoding: chunked',
  bytes: `${Buffer.byteLength(body).toString(16).toUpperCase()}\r\n${body}\r\n0\r\n\r\n`,
});

function requestIdLine({ requestId }: Call): string[] {
  return requestId === undefined ? [] : [`PayPal-Request-Id: ${requestId}`];
}

/** Waits for the complete reply. Every body of this service has a Content-Length. */
function readReply(bytes: Buffer): RawReply | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 204) {
    expect(headers.has('content-type')).toBe(false);
    return { status, headers, text: rest.toString(), body: undefined };
  }
  if (rest.byteLength < Number(headers.get('content-length'))) return undefined;
  expect(headers.get('content-type')).toBe('application/json');
  const text = rest.toString();
  return { status, headers, text, body: JSON.parse(text) };
}
