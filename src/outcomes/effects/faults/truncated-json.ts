/** A complete HTTP message whose JSON is cut. */
import { bodyFault } from './fault.ts';

export const truncatedJson = bodyFault((wire, reply) =>
  wire.send({ ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }),
);
