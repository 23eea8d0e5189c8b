/** The address of a request over a socket: what its request line and its Host header say. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Scheme } from '../transport-port/listener-address.ts';
import type { RequestRefusal } from '../transport-port/request-refusal.ts';

export interface RequestAddress {
  /** Scheme and host as the client wrote them: the base of links. */
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  /** Set if they make no address. Then the rest quotes nothing of a host. */
  readonly refusal?: RequestRefusal;
}

/** The host of a request without one. */
const defaultHost = 'localhost';

/** A host name or an IPv4 address, as nearly all clients send it. */
const plainHost = /^[a-z0-9._-]+(?::(?:\d{1,4}|[1-5]\d{4}))?$/i;

/** Host and port by RFC 3986 (3.2): an address in brackets or a registered name, and a port that may be empty. */
const hostAndPort = /^(?:\[([^\]]+)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::(\d*))?$/i;

/** A version of IP that is not known yet. */
const futureAddress = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** The zone of an IPv6 address (RFC 6874). Only the client knows what it means. */
const zone = /%25(?:[\w.~-]|%[0-9a-f]{2})+$/i;

/** A whole URL, as clients of a proxy send it. */
const absoluteForm = /^(https?):\/\/([^/?#]*)(.*)$/is;

/** Reads the address of a request. `scheme` is that of the connection. */
export function readAddress(incoming: IncomingMessage, scheme: Scheme): RequestAddress {
  const refused = (why: string, path: string) => refuseAddress(why, path, scheme);
  const { method, url: asked = '/' } = incoming;
  // OPTIONS may ask about the whole server (RFC 9112, 3.2.4).
  const url = asked === '*' && method === 'OPTIONS' ? '/' : asked;
  const { host } = incoming.headers;
  if (isRepeated(incoming, 'host')) return refused('it has several Host headers. Send one', url);
  if (url.startsWith('/') && !url.includes('\\') && host !== undefined && plainHost.test(host)) {
    return { origin: `${scheme}://${host}`, target: url };
  }
  if (host === undefined && needsHost(incoming)) return refused('it has no Host header', url);
  const [, sent = scheme, authority, rest] = absoluteForm.exec(url) ?? [];
  // The host of a whole URL replaces the Host header (RFC 9112, 3.2.2).
  const named = authority ?? host ?? '';
  const target = rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
  if (!target.startsWith('/')) return refused('its path does not begin with /', target);
  // A URL parser would read a backslash as a slash.
  if (target.split('?', 1)[0]?.includes('\\')) return refused('its path has a backslash', target);
  if (named.includes('@')) {
    return refused('its host has a user name or a password. Send an Authorization header', target);
  }
  const isAbsent = named === '' && authority === undefined;
  if (!isAbsent && !isHost(named)) {
    // What follows an empty host could be the host that was meant, with a password.
    return refused('its host is invalid', named === '' ? '*' : target);
  }
  return { origin: `${sent.toLowerCase()}://${isAbsent ? defaultHost : named}`, target };
}

function isHost(text: string): boolean {
  const [match, address, port = ''] = hostAndPort.exec(text) ?? [];
  if (match === undefined || Number(port) > 65_535) return false;
  if (address !== undefined) {
    return isIPv6(address.replace(zone, '')) || futureAddress.test(address);
  }
  // Encoded characters may be ones that no host can have.
  return !text.includes('%') || URL.canParse(`http://${text}`);
}

/** HTTP/1.0 needs no Host header, and the health checks of load balancers send none. */
function needsHost({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMajor > 1 || (httpVersionMajor === 1 && httpVersionMinor > 0);
}

/** Node keeps only the first of several Host headers. A proxy in front may have read another one. */
function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let isFound = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length !== name.length || sent.toLowerCase() !== name) continue;
    if (isFound) return true;
    isFound = true;
  }
  return false;
}

function refuseAddress(why: string, target: string, scheme: Scheme): RequestAddress {
  return {
    origin: `${scheme}://${defaultHost}`,
    // Anything else could name a host with a password.
    target: target.startsWith('/') ? target : '*',
    refusal: {
      kind: 'malformed-request',
      reason: `The request has no valid address: ${why}. Send a path that begins with / and has no backslash, and one Host header such as localhost:3000.`,
    },
  };
}

/** Refuses a request whose end cannot be found. Node reports it only after the request has begun (RFC 9112, 6.3). */
export function refuseFraming({ headers }: IncomingMessage): RequestRefusal | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || /^chunked$/i.test(coding)) return undefined;
  return {
    kind: 'malformed-request',
    reason:
      'The request has another Transfer-Encoding than chunked. Use chunked, or send a Content-Length.',
  };
}
