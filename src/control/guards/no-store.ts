/** Forbids caching, because an answer of the control API is valid for one moment only. */
import type { Context, MiddlewareHandler } from 'hono';

export const noStoreHeaders = { 'Cache-Control': 'no-store' } as const;

/** Adds the header to every answer. */
export function forbidStore(c: Context): void {
  c.header('Cache-Control', noStoreHeaders['Cache-Control']);
}

export const noStore: MiddlewareHandler = async (c, next) => {
  forbidStore(c);
  await next();
};
