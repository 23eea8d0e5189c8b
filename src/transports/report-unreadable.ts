/** Tells of bytes that are no HTTP request, which Node answers by itself with 400 or 431 and no word. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';

/** A TLS record that shakes hands, of any version. */
const tlsGreeting = [0x16, 0x03] as const;

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'Its path and headers are longer than the 16 KiB that are read.',
  HPE_PAUSED_H2_UPGRADE:
    'A client began with HTTP/2. HTTP/1.1 is spoken here: let the client choose it.',
};

/** Who left in the middle of a request has said nothing that is wrong. */
const leftEarly = 'HPE_INVALID_EOF_STATE';

/** What Node's parser gives where it gives up. */
interface ParseError extends Error {
  readonly code: string;
  /** The parser's own words. They quote nothing. */
  readonly reason: string;
  readonly rawPacket: Buffer;
}

export function tellUnreadable(server: Server, tell: UnreadableRequestListener): void {
  server.on('connection', (socket: Socket) => {
    // Not `clientError` of the server: whoever listens to that has to write Node's answer.
    socket.on('error', (error) => {
      if (isParseError(error) && error.code !== leftEarly) tell({ reason: reasonOf(error) });
    });
  });
}

function isParseError(error: Error): error is ParseError {
  return 'rawPacket' in error && 'reason' in error && 'code' in error;
}

function reasonOf({ code, reason, rawPacket }: ParseError): string {
  if (tlsGreeting.every((byte, at) => rawPacket[at] === byte)) {
    return 'A client began with TLS, as for https. Plain HTTP is spoken here: write http:// in its base URL, or let a proxy in front end TLS.';
  }
  return reasons[code] ?? `No HTTP request that can be read: ${reason}.`;
}
