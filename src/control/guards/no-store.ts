/** Forbids caching, because an answer of the control API is valid for one moment only. */
import type { Context, MiddlewareHandler } from 'hono';
import { ownOriginOnly } from '../../transport-port/safe-headers.ts';

export const noStoreHeaders = { 'Cache-Control': 'no-store' } as const;

/** Adds the header to every answer. */
export function forbidStore(c: Context): void {
  c.header('Cache-Control', noStoreHeaders['Cache-Control']);
}

export const noStore: MiddlewareHandler = async (c, next) => {
  forbidStore(c);
  await next();
};

/** Adds the headers of a safe page to every answer. Without another rule, each use of a stored answer is checked first. */
export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(ownOriginOnly)) c.header(name, value);
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-cache');
};
