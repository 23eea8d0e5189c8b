/** The right JSON, called plain text. */
import type { Fault } from './fault.ts';

export const wrongContentType: Fault = (wire, reply) =>
  wire.send({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } });
