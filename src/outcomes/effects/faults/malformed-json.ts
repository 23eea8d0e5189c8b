/** A complete HTTP message whose JSON no parser takes. */
import { bodyFault } from './fault.ts';

export const malformedJson = bodyFault((wire, reply) =>
  wire.send({ ...reply, body: `${reply.body.slice(0, -1)},"total":NaN,}` }),
);
