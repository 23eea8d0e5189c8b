/** The right JSON, called plain text. */
import { bodyFault } from './fault.ts';

export const wrongContentType = bodyFault((wire, reply) =>
  wire.send({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } }),
);
