/** The right JSON, called plain text. */
import { spoilingBody } from './fault.ts';

export const wrongContentType = spoilingBody((wire, reply) =>
  wire.send({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } }),
);
