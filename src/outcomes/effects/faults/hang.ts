/** Nothing comes until the client leaves. The cap keeps a forgotten client from holding a connection for ever. */
import type { Fault } from './fault.ts';

export const hang: Fault = async (wire, _reply, params) => {
  await wire.pause(params.ms('cap'));
  return wire.close();
};
