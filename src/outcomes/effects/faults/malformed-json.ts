/** A complete HTTP message whose JSON no parser takes. */
import { spoilingBody } from './fault.ts';

export const malformedJson = spoilingBody((wire, reply) =>
  wire.send({ ...reply, body: `${reply.body.slice(0, -1)},"total":NaN,}` }),
);
