/** Where a request arrived. */

/** How a client connects. */
export type Scheme = 'http' | 'https';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The two servers of a sandbox whose control API has a port of its own. */
export interface Planes {
  /** The server that the request arrived at. */
  readonly here: 'service' | 'control';
  readonly service: Address;
  readonly control: Address;
}

export interface SocketLocation {
  /** The host name or address that the server listens on. */
  readonly host: string;
  /** Absent if one server answers everything. */
  readonly planes?: Planes | undefined;
}

/** In process no host name is resolved, so none needs a check. */
export type TransportLocation = 'in process' | SocketLocation;

/** The URL of an address. `substitute` replaces the wildcard addresses, which a client cannot connect to. */
export function urlOf(
  { host, port }: Address,
  substitute: string,
  scheme: Scheme = 'http',
): string {
  const name = host === '0.0.0.0' || host === '::' ? substitute : host;
  const shown = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return `${scheme}://${shown}:${port}`;
}
