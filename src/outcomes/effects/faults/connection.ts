/** Faults of the connection: the client receives no response, or bytes that are not HTTP. */
import type { Fault } from './fault.ts';

/** Resets the connection (RST). The client reads no byte. */
export const reset: Fault = (transport) => transport.reset();

/** Closes the connection in good order (FIN), without a response. */
export const close: Fault = (transport) => transport.close();

/** Resets only a connection that served a request before: the race of a pooled socket that closes while idle. */
export const resetIfReused: Fault = (transport, reply) =>
  transport.reusedConnection ? transport.reset() : transport.send(reply);

/** Sends nothing until the client leaves. The cap frees connections of clients that never leave. */
export const hang: Fault = async (transport, _reply, params) => {
  await transport.pause(params.ms('cap'));
  return transport.close();
};

/** Sends bytes that are not HTTP, as a wrong port would. */
export const garbage: Fault = (transport) =>
  transport.sendRaw('\u0015\u0003\u0001 not HTTP\r\n\r\n');
