/** The answer comes a few bytes at a time: an idle timer never fires, a deadline does. */
import { bodyFault } from './fault.ts';

export const slowDribble = bodyFault((wire, reply, params) =>
  wire.sendSlowly(reply, Math.max(1, params.count('chunkBytes')), params.ms('gap')),
);
