/** The hall's only way to a client: each server implements it, and nobody else knows sockets. */

/** An answer, complete. Header names as they go out. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `null` where the answer has no body. */
  readonly body: string | null;
}

/** A body, or why there is none: larger than allowed, or the client left before it was complete. */
export type Body = Uint8Array | 'too-large' | 'gone';

/** Whether an answer leaves without the body it was made with: one to HEAD is a head alone. */
export function isBodiless({ method }: Pick<Transport, 'method'>): boolean {
  return method === 'HEAD';
}

/** What of an answer reached the client, once that is known. */
export interface Delivery {
  /** Bytes of the body the answer was to have; none where it leaves without one. */
  readonly bytesTotal: number;
  /** Bytes of it that were handed to the connection before it ended. */
  readonly bytesDelivered: number;
  /** The whole answer was handed over, as it was meant to be. */
  readonly whole: boolean;
  /** The client ended the connection first. */
  readonly clientLeft: boolean;
  /** The body as it was handed over; `null` where there was none. */
  readonly body: string | null;
  /** Its headers call the body compressed. None of ours is, so a client that decodes it gets nothing out of it. */
  readonly encoded: boolean;
}

/** Whether an answer calls its body compressed. */
export function isEncoded({ headers }: Reply): boolean {
  return 'Content-Encoding' in headers;
}

/**
 * Whether the body of a request says that it is compressed. No operation reads such a body.
 * Seed silent: refusing it by its name (RFC 9110 §15.5.16) says what is wrong; read as it is, it would only be no JSON.
 */
export function isBodyEncoded(transport: Pick<Transport, 'header'>): boolean {
  const coding = transport.header('content-encoding');
  return coding !== undefined && !/^\s*(identity)?\s*$/i.test(coding);
}

export interface Transport {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Scheme and host the client used; the base of links. */
  readonly origin: string;
  /** Whether an earlier request came on the same connection; absent where there are no connections. */
  readonly reusedConnection: boolean | undefined;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Shows every request header, names in lower case. An iterator would cost each request more than what it finds. */
  eachHeader(show: (name: string, value: string) => void): void;
  readBody(maxBytes: number): Promise<Body>;
  /** Told once, when the exchange is over for the client. Called before any answer is handed over. */
  onDelivery(listener: (delivery: Delivery) => void): void;

  /** Hands the answer over. What it returns is what the framework is given back. */
  send(reply: Reply): Response;

  /** Waits on the machine's clock; ends early when the client leaves. */
  pause(delayMs: number): Promise<void>;
  /** Ends the connection with a reset and no answer. */
  reset(): Response;
  /** Ends the connection in good order and with no answer. */
  close(): Response;
  /** Promises the whole answer in its headers, hands over the first bytes of its body, and ends the connection. */
  sendPart(reply: Reply, bytes: number): Response;
  /** Hands the whole answer over in small pieces. */
  sendSlowly(reply: Reply, chunkBytes: number, gapMs: number): Promise<Response>;
  /**
   * Hands the whole answer over, says that the connection ends with it, and ends it later. Where there are no
   * connections the answer is all there is.
   */
  sendAndLinger(reply: Reply, lingerMs: number): Response | Promise<Response>;
  /** Hands the head over, then a body in chunks whose first has a size that is no number, and ends the connection. */
  sendBadChunk(reply: Reply): Response;
  /** Hands over bytes that are no HTTP, and ends the connection. */
  sendRaw(bytes: string): Response;
  /**
   * Breaks this connection, and takes no new one at this server for `lastsMs`, or until whoever asked for it is begun
   * anew. Where there are no connections only calls of that merchant are refused.
   */
  refuse(lastsMs: number, by: RefusingMerchant): Response;
}

/** The merchant whose rule shuts a server, as it is now. */
export interface RefusingMerchant {
  readonly merchant: string;
  /** Aborts when the merchant is begun anew. */
  readonly ended: Pick<AbortController, 'signal'>;
}

/** How a client's `fetch` tells of a connection that broke: the same code at both doors. */
export class ConnectionError extends TypeError {
  constructor(code: keyof typeof faultText, host?: string) {
    const text = host === undefined ? faultText[code] : `${faultText[code]} ${host}`;
    super('fetch failed', { cause: Object.assign(new Error(text), { code }) });
  }
}

const faultText = {
  ECONNRESET: 'read ECONNRESET',
  UND_ERR_SOCKET: 'other side closed',
  ECONNREFUSED: 'connect ECONNREFUSED',
  ENOTFOUND: 'getaddrinfo ENOTFOUND',
  HPE_INVALID_CONSTANT: 'Expected HTTP/',
  HPE_INVALID_CHUNK_SIZE: 'Invalid character in chunk size',
  Z_DATA_ERROR: 'incorrect header check',
} as const;
