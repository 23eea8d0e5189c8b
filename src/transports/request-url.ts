/** The URL of a request over a socket, made of its target and its Host header. */
import type { Scheme } from '../transport-port/listener-address.ts';

export type RequestUrl =
  | { readonly url: string }
  /** Why they make no URL. It quotes nothing of them. */
  | { readonly unreadable: string };

/** A host name or an address, as most clients send it. `new URL` refuses or rewrites some, such as `10.1`. */
const plainHost = /^[a-z0-9._-]+(?::(?:\d{1,4}|[1-5]\d{4}))?$/i;

/** A path and query that every URL has as they are: no dot segments, and nothing to encode. */
const plainTarget = /^\/[\w/~@+=&?:,-]*$/;

/** Reads the URL of a request. `host` is the Host header, or its substitute. */
export function readRequestUrl(target: string, host: string, scheme: Scheme): RequestUrl {
  const [path = ''] = target.split('?', 1);
  // A URL parser would read it as a slash.
  if (path.includes('\\')) return { unreadable: 'the path has a backslash' };
  // A client of a proxy sends the whole URL.
  const isWhole = /^https?:\/\//.test(target);
  if (!isWhole && !target.startsWith('/')) return { unreadable: 'the path does not begin with /' };
  if (!isWhole && plainHost.test(host)) {
    return { url: `${scheme}://${host}${normalPath(target)}` };
  }
  const text = isWhole ? target : `${scheme}://${host}${target}`;
  if (!URL.canParse(text)) return { unreadable: 'the host is invalid' };
  const { href, hostname } = new URL(text);
  // Otherwise the parser took a part of the header for a path or a password, or rewrote the host.
  const isHost = isWhole || hostname === host.replace(/:\d+$/, '').toLowerCase();
  return isHost ? { url: href } : { unreadable: 'the host is invalid' };
}

/** The path and query, with dot segments resolved and other characters encoded, as in every URL. */
function normalPath(target: string): string {
  if (plainTarget.test(target)) return target;
  const { pathname, search } = new URL(`http://localhost${target}`);
  return pathname + search;
}
