/** What a transport passes to the Hono apps with each request. */
import type { Context } from 'hono';
import { FetchTransport } from './fetch-transport.ts';
import type { TransportLocation } from './listener-address.ts';
import type { Transport } from './transport.ts';

/** All bindings are absent when an app is called directly, as in `app.request()`. */
export interface TransportEnv {
  Bindings: {
    transport?: Transport;
    location?: TransportLocation | undefined;
    /** Why the path and the Host header make no URL. The request then has a URL that nothing is served at. */
    unreadableReason?: string | undefined;
  };
}

/** The transport of a request. A request without one, as in `app.request()`, gets one that answers in process. */
export function transportOf(c: Context<TransportEnv>): Transport {
  const { raw } = c.req;
  return envOf(c)?.transport ?? new FetchTransport(raw);
}

/** Why no URL could be made for a request; `undefined` if it has one. */
export function unreadableReasonOf(c: Context<TransportEnv>): string | undefined {
  return envOf(c)?.unreadableReason;
}

function envOf(c: Context<TransportEnv>): TransportEnv['Bindings'] | undefined {
  return c.env;
}
