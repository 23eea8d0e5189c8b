/** Where a sandbox is to listen, what it is like where it does, and what it cannot listen on. */
import { SandboxError } from '../shared/sandbox-error.ts';
import type { Address, Planes } from '../transport-port/listener-address.ts';

/** Where to listen. A port that is taken, or an address that cannot be had, rejects with a `ListenError`. */
export interface ListenOptions {
  /** 0 takes any free port. Default 0. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /**
   * A port for the control plane alone, which the other one then does not answer for: `{ port: 0 }`. Without a host
   * it is the same one.
   */
  readonly control?: { readonly port: number; readonly host?: string | undefined } | undefined;
}

/** Where something listens. */
export interface ListeningAt extends Address {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
}

/** A server that is open. */
export interface Listening extends ListeningAt {
  /** Where the control plane is: here too, unless it was given a port of its own. */
  readonly control: ListeningAt;
  /**
   * Takes no new connection, finishes what is under way for up to `graceMs` (default 0), then closes the rest.
   */
  close(graceMs?: number): Promise<void>;
  /** Lets the process end although this server is open. */
  unref(): void;
}

/** How whoever opened a server said where, for messages. */
export interface ListenWords {
  readonly port: string;
  readonly setPort: (port: number) => string;
  readonly setHost: (host: string) => string;
}

/** Which of the planes that a server may part. */
export type Plane = Planes['here'];

/** A message, in the words of whoever opened the server. */
export type Said = (words: ListenWords) => string;

/** The address cannot be listened on. The message says why and what to do. */
export class ListenError extends SandboxError {
  override readonly name = 'ListenError';
  readonly #plane: Plane;
  readonly #said: Said;

  constructor(plane: Plane, said: Said, options?: ErrorOptions) {
    super('cannot-listen', said(inCode[plane]), options);
    this.#plane = plane;
    this.#said = said;
  }

  /** The message for somebody who says in other words where to listen. */
  inWords(words: Readonly<Record<Plane, ListenWords>>): string {
    return this.#said(words[this.#plane]);
  }
}

const inCode: Readonly<Record<Plane, ListenWords>> = {
  service: {
    port: 'listen({ port })',
    setPort: (port) => `listen({ port: ${port} })`,
    setHost: (host) => `listen({ host: '${host}' })`,
  },
  control: {
    port: 'listen({ control: { port } })',
    setPort: (port) => `listen({ control: { port: ${port} } })`,
    setHost: (host) => `listen({ control: { host: '${host}' } })`,
  },
};
