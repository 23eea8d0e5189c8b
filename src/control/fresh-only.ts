/** What may be kept of an answer. */
import type { MiddlewareHandler } from 'hono';

/** What a call shows is true of one moment, so nobody keeps it. */
export const freshOnly: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
};
