/** The connections that clients in this process open, and the requests that `fetch` sends on them. */
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { memberOf } from '../shared/unknown-value.ts';
import { nextMoment, type OwnRequest } from '../transport-port/arrival.ts';

interface OwnConnection {
  /** The moment when this process asked for it. */
  readonly askedAt: number;
  /** The latest request of `fetch` on it. */
  request: OwnRequest | undefined;
}

/** The connections by the ports of both ends, as the client sees them. */
const connections = new Map<string, OwnConnection>();
/** The requests of `fetch`, by the objects that stand for them in Node. */
const requests = new WeakMap<object, { requestedAt: number; readAt: number }>();
let isWatching = false;

/** Notes the connections that this process opens from now on, and the requests of `fetch`. */
export function watchOwnConnections(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('net.client.socket', (message) => {
    const socket = memberOf(message, 'socket');
    if (!(socket instanceof Socket)) return;
    const connection: OwnConnection = { askedAt: nextMoment(), request: undefined };
    socket.once('connect', () => {
      const ports = `${socket.localPort} ${socket.remotePort}`;
      connections.set(ports, connection);
      socket.once('close', () => {
        if (connections.get(ports) === connection) connections.delete(ports);
      });
    });
  });
  subscribe('undici:request:create', (message) => {
    const request = requestIn(message);
    if (request === undefined) return;
    requests.set(request, { requestedAt: nextMoment(), readAt: Number.POSITIVE_INFINITY });
  });
  subscribe('undici:client:sendHeaders', (message) => {
    const socket = memberOf(message, 'socket');
    if (!(socket instanceof Socket)) return;
    const connection = connections.get(`${socket.localPort} ${socket.remotePort}`);
    if (connection !== undefined) connection.request = requests.get(requestIn(message) ?? {});
  });
  for (const end of ['undici:request:trailers', 'undici:request:error']) {
    subscribe(end, (message) => {
      const request = requests.get(requestIn(message) ?? {});
      if (request !== undefined) request.readAt = nextMoment();
    });
  }
}

function requestIn(message: unknown): object | undefined {
  const request = memberOf(message, 'request');
  return typeof request === 'object' && request !== null ? request : undefined;
}

/** The moment when this process asked for a connection that a server accepted; `undefined` if another process did. */
export function askedHereAt(socket: Socket): number | undefined {
  return connectionTo(socket)?.askedAt;
}

/** The request of `fetch` that a server reads from a connection; `undefined` if something else sent it. */
export function ownRequestOn(socket: Socket): OwnRequest | undefined {
  return connectionTo(socket)?.request;
}

function connectionTo({ localPort, remotePort }: Socket): OwnConnection | undefined {
  return connections.get(`${remotePort} ${localPort}`);
}
