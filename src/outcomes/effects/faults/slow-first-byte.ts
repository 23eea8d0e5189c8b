/** The answer is whole and right, and late. */
import type { Fault } from './fault.ts';

export const slowFirstByte: Fault = async (wire, reply, params) => {
  await wire.pause(params.ms('delay'));
  return wire.send(reply);
};
