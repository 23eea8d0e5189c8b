/** Plain bytes that claim to be compressed. */
import { bodyFault } from './fault.ts';

export const wrongContentEncoding = bodyFault((wire, reply) =>
  wire.send({ ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' } }),
);
