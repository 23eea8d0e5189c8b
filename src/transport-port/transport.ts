/** How the pipeline reads a request and answers it, in process and over a socket alike. */
import type { Arrival } from './arrival.ts';

/** A complete answer. Header names are in the case in which they are sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `null` if the answer has no body. */
  readonly body: string | null;
}

/** A request body, or why there is none: it is larger than allowed, or the client left before it was complete. */
export type Body = Uint8Array | 'too-large' | 'gone';

/** Whether the answer is sent without its body: the answer to HEAD has headers only. */
export function isBodiless({ method }: Pick<Transport, 'method'>): boolean {
  return method === 'HEAD';
}

/** How much of an answer was sent to the client. */
export interface Delivery {
  /** Bytes of the whole body; 0 if the answer is sent without one. */
  readonly bytesTotal: number;
  /** Bytes of it that were sent before the connection ended. */
  readonly bytesDelivered: number;
  /** Whether the whole answer was sent, as intended. */
  readonly whole: boolean;
  /** Whether the client ended the connection first. */
  readonly clientLeft: boolean;
  /** The body as it was sent; `null` if there was none. */
  readonly body: string | null;
  /** Whether the headers say that the body is compressed. No body of ours is, so a client cannot decode it. */
  readonly encoded: boolean;
}

/** Whether the headers of an answer say that its body is compressed. */
export function isEncoded({ headers }: Reply): boolean {
  return 'Content-Encoding' in headers;
}

/**
 * Whether a request says that its body is compressed. No operation reads such a body.
 * Seed silent: a refusal for this reason (RFC 9110 §15.5.16) is clearer than one for invalid JSON.
 */
export function isBodyEncoded(transport: Pick<Transport, 'header'>): boolean {
  const coding = transport.header('content-encoding');
  return coding !== undefined && !/^\s*(identity)?\s*$/i.test(coding);
}

export interface Transport {
  readonly method: string;
  /** Path and query, as the client sent them. It never has a scheme, a host or a password before the path. */
  readonly target: string;
  /** Scheme and host that the client used: the base of links. */
  readonly origin: string;
  /** Whether the connection had an earlier request; `undefined` in process, where there are no connections. */
  readonly reusedConnection: boolean | undefined;
  /** The connection and the order of events on it; `undefined` in process, where there are no connections. */
  readonly arrival: Arrival | undefined;
  /** Aborts when the client leaves before it has the answer. In process it is the signal of the caller, if any. */
  readonly signal: AbortSignal | undefined;
  /** The value of a request header, by its name in lower case. */
  header(name: string): string | undefined;
  /** Calls `show` for every request header, with its name in lower case. */
  eachHeader(show: (name: string, value: string) => void): void;
  readBody(maxBytes: number): Promise<Body>;
  /** Sets the listener that is called once, when the answer was sent or could not be. Set it before you send one. */
  onDelivery(listener: (delivery: Delivery) => void): void;

  /** Calls `listener` if the client leaves a request that waits. Call the returned function to stop that. */
  onLeave(listener: () => void): () => void;

  /** Sends an answer. Return the result to Hono. */
  send(reply: Reply): Response;

  /**
   * Waits until calls that were made together with this one have arrived. `undefined` if this process sent it over a
   * socket, because then the sandbox sees which requests are open together.
   */
  gather(): Promise<void> | undefined;
  /** Waits for real time to pass. It ends early when the client leaves. */
  pause(delayMs: number): Promise<void>;
  /** Resets the connection, without an answer. */
  reset(): Response;
  /** Closes the connection in good order, without an answer. */
  close(): Response;
  /** Sends the headers of the whole answer and the first bytes of its body, then closes the connection. */
  sendPart(reply: Reply, bytes: number): Response;
  /** Sends the whole answer in small pieces. */
  sendSlowly(reply: Reply, chunkBytes: number, gapMs: number): Promise<Response>;
  /**
   * Sends the whole answer with `Connection: close`, but closes the connection only after `lingerMs`. In process, it only
   * sends the answer.
   */
  sendAndLinger(reply: Reply, lingerMs: number): Response | Promise<Response>;
  /** Sends the headers, then a chunk whose size is not a number, and closes the connection. */
  sendBadChunk(reply: Reply): Response;
  /** Sends bytes that are not HTTP, and closes the connection. */
  sendRaw(bytes: string): Response;
  /**
   * Resets this connection, and refuses new ones for `lastsMs`, or until the merchant is reset. In process, only calls of
   * that merchant are refused.
   */
  refuse(lastsMs: number, by: RefusingMerchant): Response;
}

/** The merchant whose rule refuses connections. */
export interface RefusingMerchant {
  readonly merchant: string;
  /** Aborts when the merchant is reset. */
  readonly ended: Pick<AbortController, 'signal'>;
}

/** Codes of connections that failed. */
export type FaultCode =
  | 'ECONNRESET'
  | 'UND_ERR_SOCKET'
  | 'ECONNREFUSED'
  | 'ENOTFOUND'
  | 'HPE_INVALID_CONSTANT'
  | 'HPE_INVALID_CHUNK_SIZE'
  | 'Z_DATA_ERROR';

/** The error of a `fetch` whose connection failed. Its cause has the code that a socket error would have. */
export class ConnectionError extends TypeError {
  /** @param detail The host, or the reason, that completes the message. */
  constructor(code: FaultCode, detail?: string) {
    const text = detail === undefined ? faultText[code] : `${faultText[code]} ${detail}`;
    super('fetch failed', { cause: Object.assign(new Error(text), { code }) });
  }
}

const faultText: Readonly<Record<FaultCode, string>> = {
  ECONNRESET: 'read ECONNRESET',
  UND_ERR_SOCKET: 'other side closed',
  ECONNREFUSED: 'connect ECONNREFUSED',
  ENOTFOUND: 'getaddrinfo ENOTFOUND',
  HPE_INVALID_CONSTANT: 'Expected HTTP/',
  HPE_INVALID_CHUNK_SIZE: 'Invalid character in chunk size',
  Z_DATA_ERROR: 'incorrect header check',
};
