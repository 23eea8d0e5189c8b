/** A complete HTTP message whose JSON is cut. */
import type { Fault } from './fault.ts';

export const truncatedJson: Fault = (wire, reply) => {
  const body = reply.body ?? '{}';
  return wire.send({ ...reply, body: body.slice(0, Math.ceil(body.length / 2)) });
};
