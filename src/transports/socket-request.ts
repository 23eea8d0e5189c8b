/** A request over a socket, in the form that Hono accepts. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The host in a URL. */
const anyHost = /\/\/[^/?#]*/;

/**
 * Hono routes by method and URL, and `/v1` needs nothing else of a request. Everything else is made when it is first
 * needed, most of it as a real `Request`. Its body stays empty: the transport reads the body.
 */
export class SocketRequest implements Request {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #headers: Headers | undefined;
  #signal: AbortSignal | undefined;
  #whole: Request | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, url: string) {
    this.method = incoming.method ?? 'GET';
    this.url = url;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get headers(): Headers {
    if (this.#headers === undefined) {
      this.#headers = new Headers();
      const { rawHeaders } = this.#incoming;
      for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
        this.#headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
      }
    }
    return this.#headers;
  }

  /** Aborts when the client leaves before it has the answer. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const left = new AbortController();
      const outgoing = this.#outgoing;
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) left.abort('The client closed the connection.');
      });
      this.#signal = left.signal;
    }
    return this.#signal;
  }

  get #request(): Request {
    const { headers, signal } = this;
    // A `Request` accepts neither this method nor a URL without a valid host.
    const method = this.method === 'TRACE' ? 'GET' : this.method;
    const url = URL.canParse(this.url) ? this.url : this.url.replace(anyHost, '//localhost');
    this.#whole ??= new Request(url, { method, headers, signal });
    return this.#whole;
  }

  get body(): Request['body'] {
    return this.#request.body;
  }
  get bodyUsed(): boolean {
    return this.#request.bodyUsed;
  }
  get cache(): RequestCache {
    return this.#request.cache;
  }
  get credentials(): RequestCredentials {
    return this.#request.credentials;
  }
  get destination(): RequestDestination {
    return this.#request.destination;
  }
  get integrity(): string {
    return this.#request.integrity;
  }
  get keepalive(): boolean {
    return this.#request.keepalive;
  }
  get mode(): RequestMode {
    return this.#request.mode;
  }
  get redirect(): RequestRedirect {
    return this.#request.redirect;
  }
  get referrer(): string {
    return this.#request.referrer;
  }
  get referrerPolicy(): ReferrerPolicy {
    return this.#request.referrerPolicy;
  }
  clone(): Request {
    return this.#request.clone();
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#request.arrayBuffer();
  }
  blob(): Promise<Blob> {
    return this.#request.blob();
  }
  bytes(): ReturnType<Request['bytes']> {
    return this.#request.bytes();
  }
  formData(): Promise<FormData> {
    return this.#request.formData();
  }
  json(): Promise<unknown> {
    return this.#request.json();
  }
  text(): Promise<string> {
    return this.#request.text();
  }
}
