/** Reports bytes that are not an HTTP request. Node answers them by itself, with 400 or 431 and no explanation. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';

/** The first bytes of a TLS handshake, in any version. */
const tlsHandshake = [0x16, 0x03] as const;

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The path and headers are longer than 16 KiB, the most that is read.',
  HPE_PAUSED_H2_UPGRADE:
    'A client used HTTP/2. The sandbox speaks HTTP/1.1: configure the client to use it.',
};

/** A client that left in the middle of a request did nothing wrong. */
const leftEarly = 'HPE_INVALID_EOF_STATE';

/** The error of Node's HTTP parser. */
interface ParseError extends Error {
  readonly code: string;
  /** Written by the parser. It quotes nothing of the request. */
  readonly reason: string;
  readonly rawPacket: Buffer;
}

/** Calls `report` for each unreadable request of a server. */
export function reportUnreadable(server: Server, report: UnreadableRequestListener): void {
  server.on('connection', (socket: Socket) => {
    // A listener of the server's `clientError` would have to write the answer itself.
    socket.on('error', (error) => {
      if (isParseError(error) && error.code !== leftEarly) report({ reason: reasonOf(error) });
    });
  });
}

function isParseError(error: Error): error is ParseError {
  return 'rawPacket' in error && 'reason' in error && 'code' in error;
}

function reasonOf({ code, reason, rawPacket }: ParseError): string {
  if (tlsHandshake.every((byte, at) => rawPacket[at] === byte)) {
    return 'A client used TLS, as for https. The sandbox speaks plain HTTP: use http:// in the base URL, or put a TLS proxy in front.';
  }
  return reasons[code] ?? `This is not a valid HTTP request: ${reason}.`;
}
