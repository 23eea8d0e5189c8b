/** Keeps pages of other origins out: a browser would otherwise let any site reset what runs on its user's machine. */
import type { MiddlewareHandler } from 'hono';
import { ControlMistake } from './mistake.ts';

/** Refuses what a browser sends from another origin. Whatever is no browser says nothing of an origin. */
export const sameOriginOnly: MiddlewareHandler = async ({ req }, next) => {
  const place = foreignHeader(
    req.header('origin'),
    req.header('sec-fetch-site'),
    req.header('host') ?? new URL(req.url).host,
  );
  if (place !== undefined) {
    throw new ControlMistake(
      'other-origin',
      'A page of another origin sent this, and the control plane answers only pages of this sandbox, such as /docs. From a test, call it outside the browser; in a page, proxy it under the same origin.',
      { place: `header ${place}` },
    );
  }
  await next();
};

/** `same-site` is another origin too: another port of the same host. */
function foreignHeader(
  origin: string | undefined,
  site: string | undefined,
  host: string,
): string | undefined {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'Sec-Fetch-Site';
  return origin === undefined || isHostOf(origin, host) ? undefined : 'Origin';
}

function isHostOf(origin: string, host: string): boolean {
  // `null` is what sandboxed frames and files send.
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  // Read with the origin's protocol, so that a default port is the same written and left out.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === from;
}
