/**
 * In which order connections were opened, requests arrived and answers left. It shows what a client cannot have known
 * when it sent a request, however fast or slow the machine is.
 */

/** How a request arrived over a socket. The moments count up in one process; they are no times. */
export interface Arrival {
  /** Number of the connection. */
  readonly connection: number;
  /** The moment when the connection was opened. */
  readonly openedAt: number;
  /** Whether the connection carried no earlier request. */
  readonly isFirst: boolean;
  /** The moment when the first part of the answer left; infinite before. */
  answeredAt: number;
}

let moments = 0;

/** The next moment of this process. */
export function nextMoment(): number {
  return ++moments;
}

/**
 * How long the answer to a charge or refund waits for other requests that were sent together with it.
 *
 * The service takes hundreds of milliseconds, so requests that are sent together are open together. The sandbox
 * answers within one, before the second of them has arrived. A client in another process needs up to about two
 * milliseconds to send both.
 */
export const gatherMs = 4;
