/** What a door passes along with each request, and what stands in for it. */
import type { Context } from 'hono';
import { FetchWire } from './fetch-wire.ts';
import type { Place } from './place.ts';
import type { Wire } from './wire.ts';

/** Absent when the app is called directly, as in `app.request()`. */
export interface DoorEnv {
  Bindings: { wire?: Wire; place?: Place | undefined };
}

/** The wire of a request: the door's, or one over the web-standard request itself. */
export function wireOf(c: Context<DoorEnv>): Wire {
  const env: DoorEnv['Bindings'] | undefined = c.env;
  return env?.wire ?? new FetchWire(c.req.raw);
}
