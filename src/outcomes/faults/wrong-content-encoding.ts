/** Plain bytes that claim to be compressed. */
import type { Fault } from './fault.ts';

export const wrongContentEncoding: Fault = (wire, reply) =>
  wire.send({ ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' } });
