/** The connections that clients in this process open: when each was asked for. */
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { nextMoment } from '../transport-port/arrival.ts';

/** The moments, by the ports of both ends, as the client sees them. */
const askedAt = new Map<string, number>();
let isWatching = false;

/** Notes the connections that this process opens from now on. */
export function watchOwnConnections(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('net.client.socket', (message) => {
    const socket =
      typeof message === 'object' && message !== null && Reflect.get(message, 'socket');
    if (!(socket instanceof Socket)) return;
    const moment = nextMoment();
    socket.once('connect', () => {
      const ports = `${socket.localPort} ${socket.remotePort}`;
      askedAt.set(ports, moment);
      socket.once('close', () => {
        if (askedAt.get(ports) === moment) askedAt.delete(ports);
      });
    });
  });
}

/** The moment when this process asked for a connection that a server accepted; `undefined` if another process did. */
export function askedHereAt({ localPort, remotePort }: Socket): number | undefined {
  return askedAt.get(`${remotePort} ${localPort}`);
}
