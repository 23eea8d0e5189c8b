/** A complete HTTP message whose JSON no parser takes. */
import type { Fault } from './fault.ts';

export const malformedJson: Fault = (wire, reply) =>
  wire.send({ ...reply, body: `${(reply.body ?? '{}').slice(0, -1)},"total":NaN,}` });
