/** The hall's only way to a client: each door implements it, and nobody else knows sockets. */
import type { Context } from 'hono';

/** An answer, complete. Header names as they go out. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `null` where the answer has no body. */
  readonly body: string | null;
}

/** A body, or why there is none: larger than allowed, or the client left before it was complete. */
export type Body = Uint8Array | 'too-large' | 'gone';

export interface Wire {
  readonly method: string;
  /** Scheme and host the client used; the base of links. */
  readonly origin: string;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  readBody(maxBytes: number): Promise<Body>;
  /** Hands the answer over. What it returns is what the framework is given back. */
  send(reply: Reply): Response;
}

/** What a door passes along with each request. Absent when the app is called directly, as in `app.request()`. */
export interface DoorEnv {
  Bindings: { wire?: Wire };
}

/** The wire of a request: the door's, or one over the web-standard request itself. */
export function wireOf(c: Context<DoorEnv>): Wire {
  const env: DoorEnv['Bindings'] | undefined = c.env;
  return env?.wire ?? new FetchWire(c.req.raw);
}

/** A wire over a `Request` and a `Response`, with no socket between. */
export class FetchWire implements Wire {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get origin(): string {
    const { url } = this.#request;
    return url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  async readBody(maxBytes: number): Promise<Body> {
    const { body } = this.#request;
    if (body === null) return new Uint8Array();
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.byteLength;
        if (length > maxBytes) return 'too-large';
        chunks.push(chunk);
      }
    } catch {
      return 'gone';
    }
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }

  send(reply: Reply): Response {
    return new Response(reply.body, { status: reply.status, headers: { ...reply.headers } });
  }
}
