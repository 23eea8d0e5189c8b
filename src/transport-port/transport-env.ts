/** What a server passes along with each request, and what stands in for it. */
import type { Context } from 'hono';
import { FetchTransport } from './fetch-transport.ts';
import type { TransportLocation } from './listener-address.ts';
import type { Transport } from './transport.ts';

/** Absent when the app is called directly, as in `app.request()`. */
export interface TransportEnv {
  Bindings: {
    transport?: Transport;
    location?: TransportLocation | undefined;
    /** Why no address could be made of what was asked, where none could: it has another one then, that nothing is at. */
    unread?: string | undefined;
  };
}

/** The transport of a request: the server's, or one over the web-standard request itself. */
export function transportOf(c: Context<TransportEnv>): Transport {
  const { raw } = c.req;
  return envOf(c)?.transport ?? new FetchTransport(raw, { signal: raw.signal });
}

/** Why a request could not be read, if it could not. */
export function unreadableReasonOf(c: Context<TransportEnv>): string | undefined {
  return envOf(c)?.unread;
}

function envOf(c: Context<TransportEnv>): TransportEnv['Bindings'] | undefined {
  return c.env;
}
