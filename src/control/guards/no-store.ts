/** What may be kept of an answer. */
import type { Context, MiddlewareHandler } from 'hono';

/** What a call shows is true of one moment, so nobody keeps it. */
export const freshHeaders = { 'Cache-Control': 'no-store' } as const;

/** Has whatever is answered say so. */
export function keepFresh(c: Context): void {
  c.header('Cache-Control', freshHeaders['Cache-Control']);
}

export const freshOnly: MiddlewareHandler = async (c, next) => {
  keepFresh(c);
  await next();
};
