/** What a door passes along with each request, and what stands in for it. */
import type { Context } from 'hono';
import { FetchWire } from './fetch-transport.ts';
import type { Place } from './listener-address.ts';
import type { Wire } from './transport.ts';

/** Absent when the app is called directly, as in `app.request()`. */
export interface DoorEnv {
  Bindings: {
    wire?: Wire;
    place?: Place | undefined;
    /** Why no address could be made of what was asked, where none could: it has another one then, that nothing is at. */
    unread?: string | undefined;
  };
}

/** The wire of a request: the door's, or one over the web-standard request itself. */
export function wireOf(c: Context<DoorEnv>): Wire {
  const { raw } = c.req;
  return envOf(c)?.wire ?? new FetchWire(raw, { signal: raw.signal });
}

/** Why a request could not be read, if it could not. */
export function unreadOf(c: Context<DoorEnv>): string | undefined {
  return envOf(c)?.unread;
}

function envOf(c: Context<DoorEnv>): DoorEnv['Bindings'] | undefined {
  return c.env;
}
