/**
 * Refuses requests from pages of other origins. Otherwise any website could reset a sandbox on its visitor's machine.
 */
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
        'This request came from a page of another origin. The control API accepts requests only from pages of this sandbox, such as /docs. Call it from outside the browser, or proxy it under the same origin.',
        { place: `header ${place}` },
      );
    }
    if (isOfBrowser(req) && !isOwnName(hostnameOf(host), known, c)) {
      throw new ControlRequestError(
        'unknown-host',
        'A browser sent this request to an unknown host name. Use localhost or an IP address, or allow the name when you start the sandbox: --control-allowed-host <name>, CARD_VAULT_CONTROL_ALLOWED_HOST.',
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
  const hasHeader = (name: string): boolean => req.header(name) !== undefined;
  if (['origin', 'sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user'].some(hasHeader)) return true;
  // Without TLS, a browser sends no Sec-Fetch headers to a host other than localhost when it reads from its own origin.
  // It then still sends Accept-Language. The fetch of Node and of Deno send that too. Node's also sends Sec-Fetch-Mode.
  // Deno's accepts an encoding that browsers accept only over TLS. No page can set these two headers.
  const acceptsBrotli = /\bbr\b/i.test(req.header('accept-encoding') ?? '');
  return hasHeader('accept-language') && !hasHeader('sec-fetch-mode') && !acceptsBrotli;
}

/**
 * Whether a name is an IP address, a name of this machine, the host that the server listens on, or a configured name.
 */
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

/** Returns the host name without its port. Addresses are normalized. */
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
  // Sandboxed frames and files send `null`.
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  // Parsed with the origin's protocol, so that a written default port equals an omitted one.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === from;
}
