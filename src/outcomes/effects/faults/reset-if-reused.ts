/** A reset that hits only a connection that served a request before: the idle race of a pooled socket. */
import type { Fault } from './fault.ts';

export const resetIfReused: Fault = (wire, reply) =>
  wire.reusedConnection ? wire.reset() : wire.send(reply);
