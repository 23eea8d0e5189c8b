/**
 * Answers what Node refuses before a request exists: bytes that are not HTTP, heads that are too long, requests that take
 * too long, and CONNECT. Node itself would answer without an explanation, or not at all.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { Reply } from '../../transport-port/transport.ts';
import type {
  RequestRefusal,
  UnreadableRequestListener,
} from '../../transport-port/request-refusal.ts';
import type { Connections, HttpServer } from '../connections.ts';
import { headText } from '../head-text.ts';

export interface UnreadSettings {
  readonly connections: Connections;
  /** Writes the answer. */
  readonly refuse: (refusal: RequestRefusal) => Reply;
  readonly report: UnreadableRequestListener | undefined;
}

/** How long a connection may go on sending after its answer. Unread data would turn the close into a reset. */
const lingerMs = 500;

/** The first bytes of a TLS handshake, in any version. */
const tlsHandshake = [0x16, 0x03] as const;

/** The first byte of a SOCKS greeting: its version. */
const socksVersions: readonly (number | undefined)[] = [4, 5];

const asBaseUrl = 'Use its address as the base URL, and unset proxy settings such as HTTPS_PROXY.';

const requestLine = 'Send a request line such as GET /v1/vault/credit-cards HTTP/1.1.';
const oneLength = 'Send one Content-Length, or Transfer-Encoding: chunked, but not both.';

/** What to change, by the code of the parser's error. */
const advice: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: requestLine,
  HPE_INVALID_URL: requestLine,
  HPE_INVALID_VERSION: requestLine,
  HPE_INVALID_CONSTANT: requestLine,
  HPE_INVALID_HEADER_TOKEN: 'Send each header on a line of its own, as Name: value.',
  HPE_INVALID_CONTENT_LENGTH: oneLength,
  HPE_UNEXPECTED_CONTENT_LENGTH: oneLength,
  HPE_INVALID_TRANSFER_ENCODING: oneLength,
  HPE_INVALID_CHUNK_SIZE: 'Write the size of each chunk in hexadecimal, on a line of its own.',
};

/** Codes of clients that left in the middle of a request. They did nothing wrong, so they are not reported. */
const leftEarly = 'HPE_INVALID_EOF_STATE';

/** Why a TLS handshake failed, by the code of its error. A client that just leaves did nothing wrong. */
const handshakeReasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [
    /HTTP_REQUEST|HTTPS_PROXY_REQUEST/,
    'A client used plain HTTP on the port of https. Use https:// in the base URL, or the port of http.',
  ],
  [
    /UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|DECRYPT_ERROR/,
    'A client does not trust the certificate. Let it trust the file of --tls-ca-file, and write that file before the client starts.',
  ],
  [
    /UNSUPPORTED_PROTOCOL|VERSION|NO_SHARED_CIPHER|HANDSHAKE_FAILURE/,
    'A client supports no version or cipher of TLS that Node accepts. Update the client: TLS 1.2 is the oldest.',
  ],
  [/^ERR_SSL_/, 'A client sent no valid TLS handshake to the port of https.'],
];

/** The client had announced that it sends nothing more, so it reads no other answer. */
const sentAfterEnd = 'HPE_CLOSED_CONNECTION';

/** The error of Node's HTTP parser. */
interface ParseError extends NodeJS.ErrnoException {
  /** Written by the parser. It quotes nothing of the request. */
  readonly reason: string;
  readonly rawPacket: Uint8Array;
}

/** Answers and reports everything that a server does not read as a request. */
export function answerUnread(
  server: HttpServer,
  { connections, refuse, report }: UnreadSettings,
): void {
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A refused client may go on sending.
    if (refused.has(socket)) return;
    const refusal = refusalOf(error);
    if (refusal === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    refused.add(socket);
    if (error.code !== leftEarly && socket.bytesRead > 0) report?.({ reason: refusal.reason });
    connections.afterAnswers(socket, (mayAnswer) => {
      if (mayAnswer && error.code !== sentAfterEnd) sendLast(socket, refuse(refusal));
      // An answer may wait for the end of this turn.
      else setImmediate(() => socket.destroySoon());
    });
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    const [, reason] = handshakeReasons.find(([code]) => code.test(error.code ?? '')) ?? [];
    if (reason !== undefined) report?.({ reason });
  });
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Node listens no more.
    socket.on('error', () => socket.destroy());
    socket.resume();
    const reason = `A client used the sandbox as a proxy (CONNECT). ${asBaseUrl}`;
    report?.({ reason });
    connections.afterAnswers(socket, (mayAnswer) => {
      if (mayAnswer) sendLast(socket, refuse({ kind: 'no-proxy', reason }));
      else socket.destroy();
    });
  });
}

/** Sends an answer, and closes the connection once the client has read it. */
function sendLast(socket: Socket, reply: Reply): void {
  const body = reply.body ?? '';
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  socket.end(headText(reply, length) + body);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** Why a request could not be read; `undefined` if the connection failed and nothing can be sent. */
function refusalOf(error: NodeJS.ErrnoException): RequestRefusal | undefined {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      kind: 'request-timeout',
      reason: 'A client did not send its whole request in time. Send it without long pauses.',
    };
  }
  if (!isParseError(error)) return undefined;
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return {
      kind: 'headers-too-large',
      reason:
        'The path and headers are longer than 16 KiB, the most that is read. Send fewer or shorter headers.',
    };
  }
  return { kind: 'malformed-request', reason: reasonOf(error) };
}

function isParseError(error: Error): error is ParseError {
  return 'rawPacket' in error && 'reason' in error && 'code' in error;
}

function reasonOf({ code = '', reason, rawPacket }: ParseError): string {
  if (tlsHandshake.every((byte, at) => rawPacket[at] === byte)) {
    return 'A client used TLS, as for https, on a port of plain HTTP. Use http:// in the base URL, or start the sandbox with --tls and use the port of https.';
  }
  if (socksVersions.includes(rawPacket[0])) {
    return `A client used the sandbox as a SOCKS proxy. ${asBaseUrl}`;
  }
  if (code === 'HPE_PAUSED_H2_UPGRADE') {
    return 'A client used HTTP/2. The sandbox speaks HTTP/1.1: configure the client to use it.';
  }
  return `This is not a valid HTTP request: ${reason}. ${advice[code] ?? 'Use a client for HTTP/1.1.'}`;
}
