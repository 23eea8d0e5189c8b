/** Where a sandbox listens: options, result and error of `listen`. */
import { SandboxError } from '../shared/sandbox-error.ts';
import type { Address } from '../transport-port/listener-address.ts';

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
  /**
   * Also serves https, on a second port. `true` makes a certificate for this machine; `listening.tls.ca` is what clients
   * must trust. Default: http only.
   */
  readonly tls?: boolean | TlsOptions | undefined;
}

/** How to serve https beside http. Without `cert` and `key`, the sandbox makes a certificate at every start. */
export interface TlsOptions {
  /** The port of https; 0 selects any free one. Default 0. */
  readonly port?: number | undefined;
  /**
   * Host names and addresses that clients use besides localhost, 127.0.0.1, ::1 and the address of `host`, such as the
   * name of a Compose service.
   */
  readonly hosts?: readonly string[] | undefined;
  /** File to write the certificate of the authority to, which clients must trust. */
  readonly caFile?: string | URL | undefined;
  /** A certificate of your own: the path of a PEM file, or its text. A chain begins with the server's certificate. */
  readonly cert?: string | URL | undefined;
  /** The private key of `cert`: the path of a PEM file, or its text. */
  readonly key?: string | URL | undefined;
}

/** TLS options in which no path is a URL. */
export type TlsPaths = { readonly [K in keyof TlsOptions]: Exclude<TlsOptions[K], URL> };

/** The address that a server listens on. */
export interface ListeningAt extends Address {
  /** `http://host:port` or `https://host:port`, without a trailing slash. */
  readonly url: string;
}

/** The address of https. */
export interface ListeningWithTls extends ListeningAt {
  /** The certificate that clients must trust, as PEM. `undefined` if you gave the certificate of the server. */
  readonly ca: string | undefined;
}

/** A sandbox that listens. */
export interface Listening extends ListeningAt {
  /** The address of the control API: the same, unless it has a port of its own. */
  readonly control: ListeningAt;
  /** The address of https, if the option `tls` is set. */
  readonly tls: ListeningWithTls | undefined;
  /** Stops listening. Requests in progress may go on for up to `graceMs` (default 0); the rest is cut off. */
  close(graceMs?: number): Promise<void>;
  /** Lets the process end while this server is open. */
  unref(): void;
}

/** The words for options in a message: those of `listen`, or the flags of the command. */
export interface ListenWords {
  readonly setPort: (port: number) => string;
  readonly setHost: (host: string) => string;
}

/** The words for the options of TLS. */
export type TlsWords = Readonly<Record<'cert' | 'key' | 'caFile' | 'hosts', string>>;

/** The server that a message is about: of the service, of the control API on its own port, or of https. */
export type ServerName = 'service' | 'control' | 'tls';

/** Every word for an option that a message may need. */
export type AllWords = Readonly<Record<ServerName, ListenWords>> & { readonly files: TlsWords };

/** Writes a message with these words for options. */
export type MessageWriter = (words: ListenWords, files: TlsWords) => string;

/** The sandbox cannot listen on the address. The message says why, and what to do. */
export class ListenError extends SandboxError {
  override readonly name = 'ListenError';
  readonly #server: ServerName;
  readonly #write: MessageWriter;

  /** @internal */
  constructor(server: ServerName, write: MessageWriter, options?: ErrorOptions) {
    super('cannot-listen', write(inCode[server], inCode.files), options);
    this.#server = server;
    this.#write = write;
  }

  /**
   * The message with other words for the options.
   *
   * @internal
   */
  inWords(words: AllWords): string {
    return this.#write(words[this.#server], words.files);
  }
}

const inCode: AllWords = {
  service: {
    setPort: (port) => `listen({ port: ${port} })`,
    setHost: (host) => `listen({ host: '${host}' })`,
  },
  control: {
    setPort: (port) => `listen({ control: { port: ${port} } })`,
    setHost: (host) => `listen({ control: { host: '${host}' } })`,
  },
  tls: {
    setPort: (port) => `listen({ tls: { port: ${port} } })`,
    setHost: (host) => `listen({ host: '${host}' })`,
  },
  files: {
    cert: 'tls.cert',
    key: 'tls.key',
    caFile: 'tls.caFile',
    hosts: 'tls.hosts',
  },
};
