/** The socket server: the same app behind `node:http`. */
import { createServer, type IncomingMessage, type ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { z } from '@hono/zod-openapi';
import { validateOptions, lazySchemas } from '../documents/validate-options.ts';
import type { ServedSandbox } from './served-sandbox.ts';
import { Connections } from './connections.ts';
import { Outbox } from './outbox.ts';
import { ConnectionRefuser } from './refuse-connections.ts';
import { urlOf, type Address, type Planes } from '../transport-port/listener-address.ts';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';
import {
  ListenError,
  type Listening,
  type ListeningAt,
  type ListenOptions,
  type Plane,
  type Said,
} from './listen-options.ts';
import { nameless, SocketTransport, type ServerContext } from './socket-transport.ts';
import { tellUnreadable } from './report-unreadable.ts';

const portNumber = () => z.int().min(0).max(65_535);
const hostName = () => z.string().min(1).max(255);

const listenReaders = lazySchemas({
  port: portNumber,
  host: hostName,
  control: () => z.strictObject({ port: portNumber(), host: hostName().optional() }),
});

/** Longer than the pools of common clients: a sandbox must not make faults nobody asked for. */
const keepAliveMs = 65_000;

/** Opens the server; resolves once it is listening. */
export async function listen(core: ServedSandbox, options: ListenOptions = {}): Promise<Listening> {
  validateOptions(listenReaders, options);
  const { port = 0, host = '127.0.0.1', control } = options;
  const ports: { planes?: { readonly service: Address; readonly control: Address } } = {};
  const locationOf = (here: Planes['here'], bound: string) => ({
    host: bound,
    planes: ports.planes && { here, ...ports.planes },
  });
  const { onUnreadable } = core;
  const serve = () =>
    openServer({ host, port, plane: 'service', onUnreadable }, (request, transport, unread) =>
      core.app.fetch(request, { transport, location: locationOf('service', host), unread }),
    );
  if (control === undefined) {
    const { at, ...server } = await serve();
    return { ...at, control: at, ...server };
  }
  const own = { host: control.host ?? host, port: control.port };
  // Opened first, so that the other one never answers for it, not even for a moment.
  const plane = await openServer(
    { ...own, plane: 'control', onUnreadable },
    (request, transport, unread) => {
      const env = { transport, location: locationOf('control', own.host), unread };
      // What has no address is on neither plane, and only the service has words for it.
      return unread === undefined ? core.control.fetch(request, env) : core.app.fetch(request, env);
    },
  );
  const main = await serve().catch(async (error: unknown) => {
    await plane.close();
    throw error;
  });
  ports.planes = { service: main.at, control: plane.at };
  return {
    ...main.at,
    control: plane.at,
    close: async (graceMs) => {
      await Promise.all([main.close(graceMs), plane.close(graceMs)]);
    },
    unref: () => {
      main.unref();
      plane.unref();
    },
  };
}

interface OpenServer {
  readonly at: ListeningAt;
  close(graceMs?: number): Promise<void>;
  unref(): void;
}

/** `unread` says why no address could be made of what came, where none could. */
type Answer = (
  request: Request,
  transport: SocketTransport,
  unread?: string,
) => Response | Promise<Response>;

interface ServerSettings extends Address {
  readonly plane: Plane;
  readonly onUnreadable: UnreadableRequestListener | undefined;
}

async function openServer(
  { host, port, plane, onUnreadable }: ServerSettings,
  answer: Answer,
): Promise<OpenServer> {
  const { server, connections } = serverFor(answer, (lastsMs, ended) => {
    refuser.shut(lastsMs, ended);
  });
  if (onUnreadable !== undefined) tellUnreadable(server, onUnreadable);
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      reject(listenMistake(error, { host, port }, plane));
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo; // A TCP server that listens has one.
  const address = { host, port: bound.port };
  const refuser = new ConnectionRefuser(server, address);
  return {
    at: { url: urlOf(address, host), ...address },
    close: (graceMs = 0) => {
      refuser.stop();
      return connections.close(graceMs);
    },
    unref: () => {
      connections.unref();
      refuser.unref();
    },
  };
}

/** The consumer's global Request and Response stay as they are: this may run inside their test process. */
function serverFor(
  answer: Answer,
  refuseNext: ServerContext['refuseNext'],
): { readonly server: Server; readonly connections: Connections } {
  let unread: RequestError | undefined;
  const listener = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const transport = new SocketTransport(incoming, outgoing, context);
      const response = answer(request, transport);
      return response instanceof Promise
        ? response.then((made) => leftToAdapter(made, transport))
        : leftToAdapter(response, transport);
    },
    {
      overrideGlobalObjects: false,
      // HTTP/1.0 needs no Host, and health checks of load balancers send none.
      hostname: nameless,
      errorHandler: (error) => {
        // Whatever else goes wrong in the adapter, it answers as it does by itself.
        if (!(error instanceof RequestError)) return new Response(null, { status: 500 });
        unread = error;
        return undefined;
      },
    },
  );
  const limits = { keepAliveTimeout: keepAliveMs, headersTimeout: keepAliveMs + 1000 };
  const server = createServer(limits, (incoming, outgoing) => {
    if (connections.hasEnded(incoming.socket)) return;
    void listener(incoming, outgoing);
    // Whether it makes a request of what came, the adapter knows before it first waits.
    if (unread === undefined) return;
    const { message } = unread;
    unread = undefined;
    void answer(nowhere(), new SocketTransport(incoming, outgoing, context), message);
  });
  const connections = new Connections(server);
  const context: ServerContext = { connections, outbox: new Outbox(), refuseNext };
  return { server, connections };
}

/** Stands for a request of which no address could be made. */
function nowhere(): Request {
  return new Request(`http://${nameless}/v1`);
}

/**
 * What the adapter still has to write. Where the transport has answered that is nothing, and the adapter is left waiting for
 * a promise that nobody keeps: it would read the headers of the response that says so, at a cost of its own each time.
 */
function leftToAdapter(
  response: Response,
  transport: SocketTransport,
): Response | Promise<Response> {
  if (transport.hasAnswered) return new Promise(() => undefined);
  return transport.isStillSent && response.body !== null
    ? sendByTransport(response, transport)
    : response;
}

/** The adapter waits half a second for what a client is still sending, or not at all; the transport has more patience. */
async function sendByTransport(response: Response, transport: SocketTransport): Promise<Response> {
  const { status, headers } = response;
  const reply = { status, headers: Object.fromEntries(headers), body: await response.text() };
  return leftToAdapter(transport.send(reply), transport);
}

function listenMistake(
  error: NodeJS.ErrnoException,
  { host, port }: Address,
  plane: Plane,
): ListenError {
  const at = `${host}:${port}`;
  const mistake = (said: Said) => new ListenError(plane, said, { cause: error });
  switch (error.code) {
    case 'EADDRINUSE':
      return mistake(
        (words) =>
          `Port ${port} on ${host} is taken. Stop what listens there, choose another with ${words.port}, or take any free one with ${words.setPort(0)}.`,
      );
    case 'EACCES':
      return mistake(
        (words) =>
          `This user may not listen on ${at}. Choose a port from 1024 on with ${words.port}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return mistake(
        ({ setHost }) =>
          `This machine has no address '${host}'. Use ${setHost('127.0.0.1')} for this machine alone, or ${setHost('0.0.0.0')} for all that can reach it.`,
      );
    default:
      return mistake(() => `Could not listen on ${at}: ${error.message}`);
  }
}
