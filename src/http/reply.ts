/** Makes replies with the headers that all replies have. */
import type { Reply } from '../transport-port/transport.ts';
import { notSniffed } from '../transport-port/safe-headers.ts';
import { formatHttpDate } from '../shared/time-text.ts';
import type { Exchange } from './exchange.ts';

const jsonType = 'application/json';

/** A reply with a JSON body. */
export function jsonReply(exchange: Exchange, status: number, body: object): Reply {
  exchange.status = status;
  return {
    status,
    headers: {
      'Content-Type': jsonType,
      ...notSniffed,
      'Paypal-Debug-Id': exchange.debugId,
      Date: formatHttpDate(exchange.atMs),
    },
    body: JSON.stringify(body),
  };
}

/** A reply without a body, and so without a Content-Type. */
export function emptyReply(exchange: Exchange, status: number): Reply {
  exchange.status = status;
  return {
    status,
    headers: { 'Paypal-Debug-Id': exchange.debugId, Date: formatHttpDate(exchange.atMs) },
    body: null,
  };
}

/** A placeholder for a reply that the transport does not send. */
export function placeholderReply(exchange: Exchange): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': jsonType, Date: formatHttpDate(exchange.atMs) },
    body: '{}',
  };
}

/** Returns the reply with more headers. */
export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
