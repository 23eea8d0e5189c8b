/** Where a sandbox listens: options, result and error of `listen`. */
import { SandboxError } from '../shared/sandbox-error.ts';
import type { Address, Planes } from '../transport-port/listener-address.ts';

/** Where to listen. `listen` rejects with a `ListenError` if the port is in use or the address is not available. */
export interface ListenOptions {
  /** The port; 0 selects any free one. Default 0. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /**
   * A port of its own for the control API, such as `{ port: 0 }`. The other port then does not serve the control API. The
   * default host is the one of the service.
   */
  readonly control?: { readonly port: number; readonly host?: string | undefined } | undefined;
}

/** The address that a server listens on. */
export interface ListeningAt extends Address {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
}

/** A sandbox that listens. */
export interface Listening extends ListeningAt {
  /** The address of the control API: the same, unless it has a port of its own. */
  readonly control: ListeningAt;
  /** Stops listening. Requests in progress may go on for up to `graceMs` (default 0); the rest is cut off. */
  close(graceMs?: number): Promise<void>;
  /** Lets the process end while this server is open. */
  unref(): void;
}

/** The words for options in a message: those of `listen`, or the flags of the command. */
export interface ListenWords {
  readonly port: string;
  readonly setHost: (host: string) => string;
}

/** The service, or the control API on a port of its own. */
export type Plane = Planes['here'];

/** Writes a message with these words for options. */
export type MessageWriter = (words: ListenWords) => string;

/** The sandbox cannot listen on the address. The message says why, and what to do. */
export class ListenError extends SandboxError {
  override readonly name = 'ListenError';
  readonly #plane: Plane;
  readonly #write: MessageWriter;

  constructor(plane: Plane, write: MessageWriter, options?: ErrorOptions) {
    super('cannot-listen', write(inCode[plane]), options);
    this.#plane = plane;
    this.#write = write;
  }

  /** The message with other words for the options. */
  inWords(words: Readonly<Record<Plane, ListenWords>>): string {
    return this.#write(words[this.#plane]);
  }
}

const inCode: Readonly<Record<Plane, ListenWords>> = {
  service: {
    port: 'listen({ port })',
    setHost: (host) => `listen({ host: '${host}' })`,
  },
  control: {
    port: 'listen({ control: { port } })',
    setHost: (host) => `listen({ control: { host: '${host}' } })`,
  },
};
