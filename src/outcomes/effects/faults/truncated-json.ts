/** A complete HTTP message whose JSON is cut. */
import { spoilingBody } from './fault.ts';

export const truncatedJson = spoilingBody((wire, reply) =>
  wire.send({ ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }),
);
