/** The connections of one server: which are idle, and how each ends when the server closes. */
import type { Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { nextMoment, type Arrival, type UnusedConnection } from '../transport-port/arrival.ts';
import { askedHereAt, ownRequestOn, watchOwnConnections } from './own-connections.ts';

/** A server of either scheme. */
export type HttpServer = Server | TlsServer;

/** How often a closing server looks for idle connections. */
const sweepMs = 25;

/** How long a request that crosses the end of its connection is still read. Unread, it would cause a reset. */
const lingerMs = 25;

/** What `fetch` of Node calls itself. All of a process share one pool of connections. */
const userAgentOfFetch = 'node';

/** Connections are numbered in the whole process, because one client may use several servers. */
let connectionCount = 0;

class Connection implements UnusedConnection {
  readonly number = ++connectionCount;
  readonly openedAt = nextMoment();
  /** The address of the client's machine. */
  readonly host: string | undefined;
  /** The answer to the latest request. All earlier answers end before that one. */
  latest: ServerResponse | undefined = undefined;
  /** Whether it carried a request to the service. Others are for the control API. */
  isOfService = false;

  constructor({ remoteAddress }: Socket) {
    this.host = remoteAddress;
  }

  get isUsed(): boolean {
    return this.latest !== undefined;
  }
}

const none: readonly never[] = [];

/** A pool opens a few connections too many. More are not worth a look at each request. */
const mostUnused = 32;

/** With more connections than these, many clients are at work, and an unused one may be anyone's. */
const mostOpen = 256;

export class Connections {
  readonly #server: HttpServer;
  readonly #open = new Map<Socket, Connection>();
  readonly #unused = new Set<Connection>();
  /** TCP connections whose TLS handshake is not complete, by the client's address. */
  readonly #handshakes = new Map<string, Socket>();
  /** The TCP connection below each TLS connection. */
  readonly #below = new WeakMap<Socket, Socket>();
  readonly #ended = new WeakSet<Socket>();
  #closes = false;

  constructor(server: HttpServer) {
    this.#server = server;
    watchOwnConnections();
    if ('setSecureContext' in server) {
      server.on('connection', (tcp: Socket) => {
        const client = clientOf(tcp);
        this.#handshakes.set(client, tcp);
        tcp.once('close', () => {
          if (this.#handshakes.get(client) === tcp) this.#handshakes.delete(client);
        });
      });
      server.on('secureConnection', (socket: Socket) => {
        const client = clientOf(socket);
        const tcp = this.#handshakes.get(client);
        this.#handshakes.delete(client);
        if (tcp !== undefined) this.#below.set(socket, tcp);
        this.#add(socket);
      });
    } else {
      server.on('connection', (socket: Socket) => {
        this.#add(socket);
      });
    }
    // Node's own method, which `server.close` calls, cuts off answers that the client still reads.
    server.closeIdleConnections = () => {
      this.#endIdle();
    };
  }

  #add(socket: Socket): void {
    const connection = new Connection(socket);
    this.#open.set(socket, connection);
    this.#unused.add(connection);
    // Each answer listens until it is sent, and a client may send any number of requests at once.
    socket.setMaxListeners(0);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unused.delete(connection);
    });
  }

  /** Notes a request, and returns how it arrived. */
  note(outgoing: ServerResponse): Arrival {
    const { socket } = outgoing.req;
    // A connection that closed while its request was read is no longer in the map.
    const connection = this.#open.get(socket) ?? new Connection(socket);
    const isFirst = !connection.isUsed;
    connection.latest = outgoing;
    connection.isOfService ||= outgoing.req.url?.startsWith('/v1/') === true;
    if (isFirst) this.#unused.delete(connection);
    if (this.#closes) outgoing.shouldKeepAlive = false;
    // The client has sent a request by now, so it has noticed that the connection is open.
    const askedAt = askedHereAt(socket);
    const unused = this.#unusedOf(connection);
    return {
      connection: connection.number,
      openedAt: askedAt ?? connection.openedAt,
      isFromHere: askedAt !== undefined,
      isOwnFetch: askedAt !== undefined && outgoing.req.headers['user-agent'] === userAgentOfFetch,
      ownRequest: ownRequestOn(socket),
      isFirst,
      unused,
      used: unused.length === 0 ? none : this.#usedOf(connection),
      answeredAt: Number.POSITIVE_INFINITY,
    };
  }

  #unusedOf({ host }: Connection): readonly UnusedConnection[] {
    const { size } = this.#unused;
    if (size === 0 || size > mostUnused || this.#open.size > mostOpen) return none;
    return [...this.#unused].filter((other) => other.host === host);
  }

  #usedOf({ host }: Connection): readonly number[] {
    return [...this.#open]
      .filter(
        ([socket, one]) =>
          one.isOfService && one.host === host && askedHereAt(socket) === undefined,
      )
      .map(([, { number }]) => number);
  }

  /** Whether a connection was ended while idle. A request that still arrives on it cannot be answered, so it is ignored. */
  hasEnded(socket: Socket): boolean {
    return this.#ended.has(socket);
  }

  /** Resets a connection. Node resets TCP connections only, so with TLS it resets the one below. */
  reset(socket: Socket): void {
    const tcp = this.#below.get(socket);
    (tcp ?? socket).resetAndDestroy();
    if (tcp !== undefined) socket.destroy();
  }

  /**
   * Calls `done` when the answers to complete requests of a connection are sent. It says whether another answer would
   * still be understood: not if the latest answer has begun, or if an earlier one has not.
   */
  afterAnswers(socket: Socket, done: (mayAnswer: boolean) => void): void {
    const latest = this.#open.get(socket)?.latest;
    if (latest === undefined || latest.closed) done(socket.writable);
    else if (latest.req.complete)
      latest.once('close', () => {
        done(socket.writable);
      });
    else done(!latest.headersSent && latest.socket !== null);
  }

  /** Lets the process end while the server is open. Idle connections would hold it for more than a minute. */
  unref(): void {
    this.#server.unref();
    for (const socket of [...this.#open.keys(), ...this.#handshakes.values()]) socket.unref();
    this.#server.on('connection', (socket: Socket) => void socket.unref());
  }

  /** Accepts no new connection, ends each one when its answers are read, and ends the rest after `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.#closes = true;
    for (const { latest } of this.#open.values()) {
      // A client that reads `Connection: close` sends no more requests on it.
      if (latest?.headersSent === false) latest.shouldKeepAlive = false;
    }
    const server = this.#server;
    return new Promise((resolve) => {
      // Otherwise a connection that never sends anything would keep the server open.
      const sweep = setInterval(() => {
        this.#endIdle();
      }, sweepMs);
      const end = setTimeout(() => {
        server.closeAllConnections();
      }, graceMs);
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(end);
        resolve();
      });
    });
  }

  #endIdle(): void {
    for (const tcp of this.#handshakes.values()) tcp.destroy();
    for (const [socket, { latest }] of this.#open) {
      if (!isIdle(socket, latest) || this.#ended.has(socket)) continue;
      this.#ended.add(socket);
      socket.end();
      socket.setTimeout(lingerMs);
    }
  }
}

/** The address of a client. No two open connections of a server share it, and the local address. */
function clientOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`;
}

function isIdle(socket: Socket, latest: ServerResponse | undefined): boolean {
  // The headers of a first request may have arrived in part.
  return latest === undefined ? socket.bytesRead === 0 : latest.closed && latest.req.complete;
}
