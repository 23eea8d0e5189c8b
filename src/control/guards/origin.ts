/** Refuses pages of other origins: a browser would otherwise let any site reset what runs on its user's machine. */
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import type { TransportEnv } from '../../transport-port/transport-env.ts';
import { locationIn } from './port-routing.ts';
import { ControlRequestError } from '../errors/control-error.ts';

/**
 * Refuses requests that a browser sends from another origin or to an unknown host name. The owner of a name can point it
 * at this machine, and its pages would then be of the same origin. Other clients send no origin and may use any name,
 * such as the name of a container.
 */
export function sameOriginOnly(known: ReadonlySet<string>): MiddlewareHandler<TransportEnv> {
  return async (c, next) => {
    const { req } = c;
    const host = req.header('host') ?? new URL(req.url).host;
    const place = foreignHeader(req.header('origin'), req.header('sec-fetch-site'), host);
    if (place !== undefined) {
      throw new ControlRequestError(
        'other-origin',
        'A page of another origin sent this, and the control plane answers only pages of this sandbox, such as /docs. From a test, call it outside the browser; in a page, proxy it under the same origin.',
        { place: `header ${place}` },
      );
    }
    if (isOfBrowser(req) && !isOwnName(hostnameOf(host), known, c)) {
      throw new ControlRequestError(
        'unknown-host',
        'A browser sent this to a name that is not known to be of this sandbox. Use localhost or an address, or start the sandbox with the name: --control-allowed-host <name>, CARD_VAULT_CONTROL_ALLOWED_HOST.',
        { place: 'header Host' },
      );
    }
    await next();
  };
}

/** Configured host names: the allowed ones, and the one of the base URL. */
export function knownHosts(
  allowed: readonly string[],
  baseUrl: string | undefined,
): ReadonlySet<string> {
  const own = baseUrl === undefined ? [] : [new URL(baseUrl).hostname];
  return new Set([...allowed.map((name) => name.toLowerCase()), ...own]);
}

/** Sec-Fetch-Mode alone is no sign of a browser, because Node's own fetch sends it. */
function isOfBrowser(req: HonoRequest): boolean {
  const says = (name: string): boolean => req.header(name) !== undefined;
  if (['origin', 'sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user'].some(says)) return true;
  // Without TLS a browser says nothing of that to a name that is not localhost when it reads from its own origin. What
  // it does say then is its language. So do the fetch of Node and that of Deno: the former with Sec-Fetch-Mode, the
  // latter with an encoding that browsers take by TLS only. No page can set either of these headers.
  const takesBrotli = /\bbr\b/i.test(req.header('accept-encoding') ?? '');
  return says('accept-language') && !says('sec-fetch-mode') && !takesBrotli;
}

/** Whether a name is an address, a name of this machine, the host that is listened on, or configured. */
function isOwnName(
  name: string | undefined,
  known: ReadonlySet<string>,
  c: Context<TransportEnv>,
): boolean {
  const place = locationIn(c.env);
  if (place === 'in process') return true;
  if (name === undefined) return false;
  const isAddress = name.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(name);
  const isLoopback = name === 'localhost' || name.endsWith('.localhost');
  return isAddress || isLoopback || name === place?.host.toLowerCase() || known.has(name);
}

/** The host name without its port; addresses in their normal form. */
function hostnameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

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
