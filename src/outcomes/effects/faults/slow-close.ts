/** The whole answer says that the connection ends, and the end is long in coming: a client that waits for it hangs. */
import type { Fault } from './fault.ts';

export const slowClose: Fault = (wire, reply, params) =>
  wire.sendAndLinger(reply, params.ms('linger'));
