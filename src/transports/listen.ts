/** The socket transport: the apps of a sandbox behind `node:http`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from '@hono/zod-openapi';
import { operationNames, requestSchemas } from '../contract/service/operations.ts';
import { compileSchemas } from '../contract/shape.ts';
import { lazySchemas, validateOptions } from '../documents/validate-options.ts';
import { urlOf, type Address, type Planes } from '../transport-port/listener-address.ts';
import type { TransportEnv } from '../transport-port/transport-env.ts';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';
import { Connections } from './connections.ts';
import {
  ListenError,
  type Listening,
  type ListeningAt,
  type ListenOptions,
  type MessageWriter,
  type Plane,
} from './listen-options.ts';
import { Outbox } from './outbox.ts';
import { ConnectionRefuser } from './refuse-connections.ts';
import { reportUnreadable } from './report-unreadable.ts';
import { readRequestUrl } from './request-url.ts';
import type { ServedSandbox } from './served-sandbox.ts';
import { SocketRequest } from './socket-request.ts';
import { defaultHostName, SocketTransport, type ServerContext } from './socket-transport.ts';

const portNumber = () => z.int().min(0).max(65_535);
const hostName = () => z.string().min(1).max(255);

const listenSchemas = lazySchemas({
  port: portNumber,
  host: hostName,
  control: () => z.strictObject({ port: portNumber(), host: hostName().optional() }),
});

const requestSchemaList = operationNames
  .flatMap((name) => Object.values(requestSchemas(name)))
  .filter((schema) => schema !== undefined);

/** Longer than the connection pools of common clients, so that the sandbox causes no faults by itself. */
const keepAliveMs = 65_000;

/** Starts to serve a sandbox. Resolves when it listens. */
export async function listen(
  sandbox: ServedSandbox,
  options: ListenOptions = {},
): Promise<Listening> {
  validateOptions(listenSchemas, options);
  compileSchemas(requestSchemaList);
  const { port = 0, host = '127.0.0.1', control } = options;
  const { onUnreadable } = sandbox;
  /** Has both addresses once two servers listen. */
  const bound: { planes?: { readonly service: Address; readonly control: Address } } = {};
  const locationOf = (here: Planes['here'], boundHost: string) => ({
    host: boundHost,
    planes: bound.planes && { here, ...bound.planes },
  });
  const openService = () =>
    openServer({ host, port, plane: 'service', onUnreadable }, (request, env) =>
      sandbox.app.fetch(request, { ...env, location: locationOf('service', host) }),
    );
  if (control === undefined) {
    const { at, ...server } = await openService();
    return { ...at, control: at, ...server };
  }
  const controlAddress = { host: control.host ?? host, port: control.port };
  // Opened first, so that the service never answers for the control API, not even for a moment.
  const controlServer = await openServer(
    { ...controlAddress, plane: 'control', onUnreadable },
    (request, bindings) => {
      const env = { ...bindings, location: locationOf('control', controlAddress.host) };
      // Only the service has an answer for a request without a URL.
      const app = env.unreadableReason === undefined ? sandbox.control : sandbox.app;
      return app.fetch(request, env);
    },
  );
  const service = await openService().catch(async (error: unknown) => {
    await controlServer.close();
    throw error;
  });
  bound.planes = { service: service.at, control: controlServer.at };
  return {
    ...service.at,
    control: controlServer.at,
    close: async (graceMs) => {
      await Promise.all([service.close(graceMs), controlServer.close(graceMs)]);
    },
    unref: () => {
      service.unref();
      controlServer.unref();
    },
  };
}

interface OpenServer {
  readonly at: ListeningAt;
  close(graceMs?: number): Promise<void>;
  unref(): void;
}

/** Answers a request. The answer was sent already, if the transport has answered. */
type Answer = (request: Request, env: TransportEnv['Bindings']) => Response | Promise<Response>;

interface ServerSettings extends Address {
  readonly plane: Plane;
  readonly onUnreadable: UnreadableRequestListener | undefined;
}

async function openServer(
  { host, port, plane, onUnreadable }: ServerSettings,
  answer: Answer,
): Promise<OpenServer> {
  const { server, connections } = createHttpServer(answer, (lastsMs, ended) => {
    refuser.refuse(lastsMs, ended);
  });
  if (onUnreadable !== undefined) reportUnreadable(server, onUnreadable);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(listenError(error, { host, port }, plane));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
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

function createHttpServer(
  answer: Answer,
  refuseNext: ServerContext['refuseNext'],
): { readonly server: Server; readonly connections: Connections } {
  const limits = { keepAliveTimeout: keepAliveMs, headersTimeout: keepAliveMs + 1000 };
  const server = createServer(limits, (incoming, outgoing) => {
    if (connections.hasEnded(incoming.socket)) return;
    const transport = new SocketTransport(incoming, outgoing, context);
    void serveRequest(answer, { incoming, outgoing, transport });
  });
  const connections = new Connections(server);
  const context: ServerContext = { connections, outbox: new Outbox(), refuseNext };
  return { server, connections };
}

interface SocketExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly transport: SocketTransport;
}

/** The URL of a request that has none. Nothing is served there. */
const unreadableUrl = `http://${defaultHostName}/v1`;

async function serveRequest(
  answer: Answer,
  { incoming, outgoing, transport }: SocketExchange,
): Promise<void> {
  // HTTP/1.0 needs no Host header, and the health checks of load balancers send none.
  const read = readRequestUrl(transport.target, incoming.headers.host || defaultHostName);
  const url = 'url' in read ? read.url : unreadableUrl;
  const unreadableReason = 'url' in read ? undefined : read.unreadable;
  try {
    const request = new SocketRequest(incoming, outgoing, url);
    await sendResponse(await answer(request, { transport, unreadableReason }), transport);
  } catch {
    if (!transport.hasAnswered) transport.send({ status: 500, headers: {}, body: null });
  }
}

/** Sends what the transport has not sent itself: answers of the control API, and pages. */
async function sendResponse(response: Response, transport: SocketTransport): Promise<void> {
  if (transport.hasAnswered) return;
  const { status, headers } = response;
  const body = response.body === null ? null : await response.text();
  transport.send({ status, headers: Object.fromEntries(headers), body });
}

function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Address,
  plane: Plane,
): ListenError {
  const at = `${host}:${port}`;
  const failure = (write: MessageWriter) => new ListenError(plane, write, { cause: error });
  switch (error.code) {
    case 'EADDRINUSE':
      return failure(
        (words) =>
          `Port ${port} on ${host} is in use. Stop the other process or choose another port with ${words.port}.`,
      );
    case 'EACCES':
      return failure(
        (words) =>
          `This user may not listen on ${at}. Choose a port of at least 1024 with ${words.port}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return failure(
        ({ setHost }) =>
          `This machine has no address '${host}'. Use ${setHost('127.0.0.1')} for this machine only, or ${setHost('0.0.0.0')} for every machine that can reach it.`,
      );
    default:
      return failure(() => `Could not listen on ${at}: ${error.message}`);
  }
}
