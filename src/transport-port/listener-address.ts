/** Where a request came in: what a server tells of itself to whoever answers. */

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Two servers, where the control plane has one of its own. */
export interface Planes {
  /** The one that the request came to. */
  readonly here: 'service' | 'control';
  readonly service: Address;
  readonly control: Address;
}

export interface SocketLocation {
  /** The name or address that the server was opened on. */
  readonly host: string;
  /** Absent where one server answers everything. */
  readonly planes?: Planes | undefined;
}

/** No name is looked up in process, so none can lead astray. */
export type TransportLocation = 'in process' | SocketLocation;

/** An address to type. `asked` stands for the one that means all addresses, which is none to connect to. */
export function urlOf({ host, port }: Address, asked: string): string {
  const name = host === '0.0.0.0' || host === '::' ? asked : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}
