/** The socket door: the same app behind `node:http`. */
import type { IncomingMessage, ServerResponse, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { SandboxCore } from '../sandbox.ts';
import { Shutter } from './shutter.ts';
import { SocketWire } from './socket-wire.ts';

export interface ListenOptions {
  /** 0 takes any free port. Default 3000. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
}

export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * Takes no new connection, finishes what is under way for up to `graceMs` (default 0), then closes the rest.
   */
  close(graceMs?: number): Promise<void>;
  /** Lets the process end although this door is open. */
  unref(): void;
}

/** The address cannot be listened on. The message says why and what to do. */
export class ListenMistake extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ListenMistake';
  }
}

/** Longer than the pools of common clients: a sandbox must not make faults nobody asked for. */
const keepAliveMs = 65_000;
const idleSweepMs = 25;

/** Opens the door; resolves once it is listening. */
export async function listen(core: SandboxCore, options: ListenOptions = {}): Promise<Listening> {
  const { port = 3000, host = '127.0.0.1' } = options;
  const server = serverFor(core, (lastsMs) => {
    shutter.shut(lastsMs);
  });
  const sockets = socketsOf(server);
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      reject(listenMistake(error, host, port));
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo; // A TCP server that listens has one.
  const shutter = new Shutter(server, { host, port: bound.port });
  return {
    url: `http://${bound.family === 'IPv6' ? `[${host}]` : host}:${bound.port}`,
    host,
    port: bound.port,
    close: (graceMs = 0) => {
      shutter.stop();
      return closeServer(server, graceMs);
    },
    unref: () => {
      unrefServer(server, sockets);
      shutter.unref();
    },
  };
}

/** The consumer's global Request and Response stay as they are: this may run inside their test process. */
function serverFor(core: SandboxCore, refuseNext: (lastsMs: number) => void): Server {
  const served = new WeakSet<Socket>();
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const wire = new SocketWire(incoming, outgoing, served, refuseNext);
      return core.app.fetch(request, { wire });
    },
    overrideGlobalObjects: false,
    serverOptions: { keepAliveTimeout: keepAliveMs, headersTimeout: keepAliveMs + 1000 },
  });
  return server as Server; // Without http2 options it is one.
}

/** Every connection that is open, as it comes and goes. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** A connection holds the process as the server does: one that is kept alive, for more than a minute. */
function unrefServer(server: Server, sockets: ReadonlySet<Socket>): void {
  server.unref();
  for (const socket of sockets) socket.unref();
  server.on('connection', (socket: Socket) => void socket.unref());
}

/** `server.close()` alone waits for ever on a connection that never sent anything, so idle ones are swept. */
function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, idleSweepMs);
    const end = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function listenMistake(error: NodeJS.ErrnoException, host: string, port: number): ListenMistake {
  const at = `${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenMistake(
        `Port ${port} on ${host} is taken. Stop what listens there, choose another with --port, or take any free one with --port 0.`,
        { cause: error },
      );
    case 'EACCES':
      return new ListenMistake(
        `This user may not listen on ${at}. Choose a port from 1024 on with --port.`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenMistake(
        `This machine has no address '${host}'. Use --host 127.0.0.1 for this machine alone, or --host 0.0.0.0 for all that can reach it.`,
        { cause: error },
      );
    default:
      return new ListenMistake(`Could not listen on ${at}: ${error.message}`, { cause: error });
  }
}
