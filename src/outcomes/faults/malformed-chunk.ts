/** A chunked answer with a chunk size that is no number. */
import type { Fault } from './fault.ts';

export const malformedChunk: Fault = (wire, reply) =>
  wire.sendRaw(
    `HTTP/1.1 ${reply.status} OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nnot-a-size\r\n${reply.body ?? ''}\r\n`,
  );
