/** One server of a sandbox: `node:http` or `node:https` in front of an app. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { urlOf, type Address } from '../transport-port/listener-address.ts';
import type { TransportEnv } from '../transport-port/transport-env.ts';
import type { UnreadableRequestListener } from '../transport-port/unreadable-request.ts';
import { Connections, type HttpServer } from './connections.ts';
import {
  ListenError,
  type ListeningAt,
  type MessageWriter,
  type ServerName,
} from './listen-options.ts';
import { Outbox } from './outbox.ts';
import { ConnectionRefuser } from './refuse-connections.ts';
import { reportUnreadable } from './report-unreadable.ts';
import { readRequestUrl } from './request-url.ts';
import { SocketRequest } from './socket-request.ts';
import { defaultHostName, SocketTransport, type ServerContext } from './socket-transport.ts';
import type { ServerCertificate } from './tls/tls-options.ts';

/** Longer than the connection pools of common clients, so that the sandbox causes no faults by itself. */
const keepAliveMs = 65_000;

/** Time for a client to complete its TLS handshake. */
const handshakeMs = 20_000;

/** A server that listens. */
export interface OpenServer {
  readonly at: ListeningAt;
  close(graceMs?: number): Promise<void>;
  unref(): void;
}

/** Answers a request. The answer was sent already, if the transport has answered. */
type Answer = (request: Request, env: TransportEnv['Bindings']) => Response | Promise<Response>;

export interface ServerSettings extends Address {
  readonly server: ServerName;
  readonly onUnreadable: UnreadableRequestListener | undefined;
  /** Serves https with it; http without. */
  readonly certificate?: ServerCertificate | undefined;
  /** The servers that refuse connections together. This one is added. */
  readonly refusers: ConnectionRefuser[];
}

/** Opens a server. Throws a `ListenError` if it cannot listen. */
export async function openServer(settings: ServerSettings, answer: Answer): Promise<OpenServer> {
  const { host, port, onUnreadable, certificate, refusers } = settings;
  const { server, connections } = await createHttpServer(answer, certificate, (lastsMs, ended) => {
    for (const one of refusers) one.refuse(lastsMs, ended);
  });
  if (onUnreadable !== undefined) reportUnreadable(server, onUnreadable);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(listenError(error, settings));
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
  refusers.push(refuser);
  const scheme = certificate === undefined ? 'http' : 'https';
  return {
    at: { url: urlOf(address, host, scheme), ...address },
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

async function createHttpServer(
  answer: Answer,
  certificate: ServerCertificate | undefined,
  refuseNext: ServerContext['refuseNext'],
): Promise<{ readonly server: HttpServer; readonly connections: Connections }> {
  const limits = { keepAliveTimeout: keepAliveMs, headersTimeout: keepAliveMs + 1000 };
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (connections.hasEnded(incoming.socket)) return;
    const transport = new SocketTransport(incoming, outgoing, context);
    void serveRequest(answer, { incoming, outgoing, transport });
  };
  const server =
    certificate === undefined
      ? createServer(limits, onRequest)
      : // Loaded late, so that a start without TLS does not wait for it.
        (await import('node:https')).createServer(
          {
            ...limits,
            cert: certificate.cert,
            key: certificate.key,
            handshakeTimeout: handshakeMs,
            ALPNProtocols: ['http/1.1'],
          },
          onRequest,
        );
  const connections = new Connections(server);
  const scheme = certificate === undefined ? 'http' : 'https';
  const context: ServerContext = { scheme, connections, outbox: new Outbox(), refuseNext };
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
  const host = incoming.headers.host || defaultHostName;
  const read = readRequestUrl(transport.target, host, transport.scheme);
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

/** Ports that few programs use, to suggest in the place of one that is taken. */
const otherPorts: Readonly<Record<ServerName, number>> = {
  service: 7801,
  control: 7802,
  tls: 7843,
};

function listenError(
  error: NodeJS.ErrnoException,
  { host, port, server }: ServerSettings,
): ListenError {
  const at = `${host}:${port}`;
  const other = otherPorts[server] === port ? port + 10 : otherPorts[server];
  const failure = (write: MessageWriter) => new ListenError(server, write, { cause: error });
  switch (error.code) {
    case 'EADDRINUSE':
      return failure(
        ({ setPort }) =>
          `Port ${port} on ${host} is in use. Stop the other process or choose another port, such as ${setPort(other)}.`,
      );
    case 'EACCES':
      return failure(
        ({ setPort }) =>
          `This user may not listen on ${at}. Choose a port of at least 1024, such as ${setPort(other)}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failure(
        ({ setHost }) =>
          `This machine has no address '${host}'. Use ${setHost('127.0.0.1')} for this machine only, or ${setHost('0.0.0.0')} for every machine that can reach it.`,
      );
    default:
      return failure(() => `Could not listen on ${at}: ${error.message}`);
  }
}
