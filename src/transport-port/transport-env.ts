/** What a transport passes to the Hono app of the control API with each request. */
import type { Context } from 'hono';
import type { TransportLocation } from './listener-address.ts';
import type { Transport } from './transport.ts';

export interface TransportEnv {
  Bindings: {
    transport: Transport;
    location?: TransportLocation | undefined;
  };
}

export function transportOf(c: Context<TransportEnv>): Transport {
  return c.env.transport;
}
