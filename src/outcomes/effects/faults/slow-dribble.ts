/** The answer comes a few bytes at a time: an idle timer never fires, a deadline does. */
import { spoilingBody } from './fault.ts';

export const slowDribble = spoilingBody((wire, reply, params) =>
  wire.sendSlowly(reply, Math.max(1, params.count('chunkBytes')), params.ms('gap')),
);
