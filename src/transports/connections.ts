/** The connections of one server: which are idle, and how each ends when the server closes. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often a closing server looks for idle connections. */
const sweepMs = 25;

/** How long a request that crosses the end of its connection is still read. Unread, it would cause a reset. */
const lingerMs = 25;

export class Connections {
  readonly #server: Server;
  /** Each connection with the answer to its latest request. All earlier answers end before that one. */
  readonly #open = new Map<Socket, ServerResponse | undefined>();
  readonly #ended = new WeakSet<Socket>();
  #closes = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, undefined);
      // Each answer listens until it is sent, and a client may send any number of requests at once.
      socket.setMaxListeners(0);
      socket.once('close', () => this.#open.delete(socket));
    });
    // Node's own method, which `server.close` calls, cuts off answers that the client still reads.
    server.closeIdleConnections = () => {
      this.#endIdle();
    };
  }

  /** Notes a request. Returns whether its connection had an earlier one. */
  note(outgoing: ServerResponse): boolean {
    const { socket } = outgoing.req;
    const isReused = this.#open.get(socket) !== undefined;
    this.#open.set(socket, outgoing);
    if (this.#closes) outgoing.shouldKeepAlive = false;
    return isReused;
  }

  /** Whether a connection was ended while idle. A request that still arrives on it cannot be answered, so it is ignored. */
  hasEnded(socket: Socket): boolean {
    return this.#ended.has(socket);
  }

  /** Lets the process end while the server is open. Idle connections would hold it for more than a minute. */
  unref(): void {
    this.#server.unref();
    for (const socket of this.#open.keys()) socket.unref();
    this.#server.on('connection', (socket: Socket) => void socket.unref());
  }

  /** Accepts no new connection, ends each one when its answers are read, and ends the rest after `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.#closes = true;
    for (const latest of this.#open.values()) {
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
    for (const [socket, latest] of this.#open) {
      if (!isIdle(socket, latest) || this.#ended.has(socket)) continue;
      this.#ended.add(socket);
      socket.end();
      socket.setTimeout(lingerMs);
    }
  }
}

function isIdle(socket: Socket, latest: ServerResponse | undefined): boolean {
  // The headers of a first request may have arrived in part.
  return latest === undefined ? socket.bytesRead === 0 : latest.closed && latest.req.complete;
}
