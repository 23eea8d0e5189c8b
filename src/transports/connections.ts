/** The connections of one server: which of them are idle, and how each ends when the server closes. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What became idle is looked for so often while the server closes. */
const sweepMs = 25;

/** A request that crosses the end of its connection is read for so long: unread, it would turn the end into a reset. */
const lingerMs = 25;

export class Connections {
  readonly #server: Server;
  /** Each with the answer to its latest request. Earlier ones are over when it is. */
  readonly #open = new Map<Socket, ServerResponse | undefined>();
  readonly #ended = new WeakSet<Socket>();
  #closes = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, undefined);
      // Of requests that are sent at once each answer listens until it has left, and there may be any number of them.
      socket.setMaxListeners(0);
      socket.once('close', () => this.#open.delete(socket));
    });
    // Node's own cuts off answers that were made and are still being read, and `server.close` calls it too.
    server.closeIdleConnections = () => {
      this.#endIdle();
    };
  }

  /** To be told of each request; says whether an earlier one came on its connection. */
  take(outgoing: ServerResponse): boolean {
    const { socket } = outgoing.req;
    const isReused = this.#open.get(socket) !== undefined;
    this.#open.set(socket, outgoing);
    if (this.#closes) outgoing.shouldKeepAlive = false;
    return isReused;
  }

  /** Whether a connection was ended while it was idle: what still comes on it can have no answer, so nothing is done. */
  hasEnded(socket: Socket): boolean {
    return this.#ended.has(socket);
  }

  /** Lets the process end although the server is open: a connection holds it as well, for more than a minute. */
  unref(): void {
    this.#server.unref();
    for (const socket of this.#open.keys()) socket.unref();
    this.#server.on('connection', (socket: Socket) => void socket.unref());
  }

  /** Takes no new connection, ends each once its answers were read, and after the grace whatever is left. */
  close(graceMs: number): Promise<void> {
    this.#closes = true;
    for (const latest of this.#open.values()) {
      // Who reads that its connection ends asks nothing more on it.
      if (latest?.headersSent === false) latest.shouldKeepAlive = false;
    }
    const server = this.#server;
    return new Promise((resolve) => {
      // A connection that never sends anything would be waited for without end.
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
  // Of a first request the head may be on its way.
  return latest === undefined ? socket.bytesRead === 0 : latest.closed && latest.req.complete;
}
