/** The answer comes a few bytes at a time: an idle timer never fires, a deadline does. */
import type { Fault } from './fault.ts';

export const slowDribble: Fault = (wire, reply, params) =>
  wire.sendSlowly(reply, params.count('chunkBytes'), params.ms('gap'));
