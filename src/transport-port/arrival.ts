/**
 * In which order connections were opened, requests arrived and answers left. It shows what a client cannot have known
 * when it sent a request, however fast or slow the machine is.
 */

/** How a request arrived over a socket. The moments count up in one process; they are no times. */
export interface Arrival {
  /** Number of the connection. */
  readonly connection: number;
  /** The moment when the connection was opened; if this process opened it, when it asked for it. */
  readonly openedAt: number;
  /** Whether this process opened the connection. */
  readonly isFromHere: boolean;
  /**
   * Whether `fetch` of this process sent it. It shares one event loop with the server, so the server sees requests that
   * are sent together while each of them is open. It changes connections although it waits for each answer.
   */
  readonly isOwnFetch: boolean;
  /** When this process called for the request and had its answer, if it sent the request with `fetch`. */
  readonly ownRequest: OwnRequest | undefined;
  /** Whether the connection carried no earlier request. */
  readonly isFirst: boolean;
  /** The client's other connections that had carried no request when this one arrived. */
  readonly unused: readonly UnusedConnection[];
  /**
   * Numbers of the open connections of other processes of the host that had carried requests to the service, if any is
   * unused.
   */
  readonly used: readonly number[];
  /** The moment when the first part of the answer left, or when the sandbox ended the connection; infinite before. */
  answeredAt: number;
}

/** A request of this process, in moments. */
export interface OwnRequest {
  /** When the client called `fetch`. */
  readonly requestedAt: number;
  /** When it had received the whole answer, or an error; infinite before. */
  readonly readAt: number;
}

/** A connection that had carried no request. */
export interface UnusedConnection {
  readonly number: number;
  readonly openedAt: number;
  /** Whether it carried one later. */
  readonly isUsed: boolean;
}

let moments = 0;

/** The next moment of this process. */
export function nextMoment(): number {
  return ++moments;
}
