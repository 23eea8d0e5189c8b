/** Reports bytes that are not an HTTP request. Node answers them by itself, with 400 or 431 and no explanation. */
import type { Socket } from 'node:net';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';
import type { HttpServer } from './connections.ts';

/** The first bytes of a TLS handshake, in any version. */
const tlsHandshake = [0x16, 0x03] as const;

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The path and headers are longer than 16 KiB, the most that is read.',
  HPE_PAUSED_H2_UPGRADE:
    'A client used HTTP/2. The sandbox speaks HTTP/1.1: configure the client to use it.',
};

/** A client that left in the middle of a request did nothing wrong. */
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

/** The error of Node's HTTP parser. */
interface ParseError extends Error {
  readonly code: string;
  /** Written by the parser. It quotes nothing of the request. */
  readonly reason: string;
  readonly rawPacket: Buffer;
}

/** Calls `report` for each unreadable request of a server. */
export function reportUnreadable(server: HttpServer, report: UnreadableRequestListener): void {
  const listen = (socket: Socket): void => {
    // A listener of the server's `clientError` would have to write the answer itself.
    socket.on('error', (error) => {
      if (isParseError(error) && error.code !== leftEarly) report({ reason: reasonOf(error) });
    });
  };
  server.on('connection', listen).on('secureConnection', listen);
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    const [, reason] = handshakeReasons.find(([code]) => code.test(error.code ?? '')) ?? [];
    if (reason !== undefined) report({ reason });
  });
}

function isParseError(error: Error): error is ParseError {
  return 'rawPacket' in error && 'reason' in error && 'code' in error;
}

function reasonOf({ code, reason, rawPacket }: ParseError): string {
  if (tlsHandshake.every((byte, at) => rawPacket[at] === byte)) {
    return 'A client used TLS, as for https, on a port of plain HTTP. Use http:// in the base URL, or start the sandbox with --tls and use the port of https.';
  }
  return reasons[code] ?? `This is not a valid HTTP request: ${reason}.`;
}
