/** Plain bytes that claim to be compressed. */
import { spoilingBody } from './fault.ts';

export const wrongContentEncoding = spoilingBody((wire, reply) =>
  wire.send({ ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' } }),
);
