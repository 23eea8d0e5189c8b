/** One server of a sandbox: `node:http` or `node:https` in front of an app. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { urlOf, type Address, type SocketLocation } from '../transport-port/listener-address.ts';
import type { RequestRefusal } from '../transport-port/request-refusal.ts';
import { Connections, type HttpServer } from './connections.ts';
import {
  ListenError,
  type ListeningAt,
  type MessageWriter,
  type ServerName,
} from './listen-options.ts';
import { Outbox } from './outbox.ts';
import { ConnectionRefuser } from './refuse-connections.ts';
import { readAddress, refuseFraming } from './request-address.ts';
import type { ServedSandbox } from './served-sandbox.ts';
import { requestOf } from './socket-call.ts';
import { SocketTransport, type ServerContext, type SocketExchange } from './socket-transport.ts';
import type { ServerCertificate } from './tls/tls-options.ts';
import { answerUnread } from './unread/answer-unread.ts';

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

export interface ServerSettings extends Address {
  readonly server: ServerName;
  /** Where the server listens, for each request. */
  readonly locate: () => SocketLocation;
  /** Serves https with it; http without. */
  readonly certificate?: ServerCertificate | undefined;
  /** The servers that refuse connections together. This one is added. */
  readonly refusers: ConnectionRefuser[];
}

/** Opens a server. Throws a `ListenError` if it cannot listen. */
export async function openServer(
  sandbox: ServedSandbox,
  settings: ServerSettings,
): Promise<OpenServer> {
  const { host, port, certificate, refusers } = settings;
  const { server, connections } = await createHttpServer(sandbox, settings, (lastsMs, ended) => {
    for (const one of refusers) one.refuse(lastsMs, ended);
  });
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
  sandbox: ServedSandbox,
  { certificate, locate }: ServerSettings,
  refuseNext: ServerContext['refuseNext'],
): Promise<{ readonly server: HttpServer; readonly connections: Connections }> {
  const options = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: keepAliveMs + 1000,
    // The sandbox explains a missing header itself.
    requireHostHeader: false,
    // A header that is sent twice is read as in process: both values count. Node would ignore the second one silently.
    joinDuplicateHeaders: true,
  };
  const server =
    certificate === undefined
      ? createServer(options)
      : // Loaded late, so that a start without TLS does not wait for it.
        (await import('node:https')).createServer({
          ...options,
          cert: certificate.cert,
          key: certificate.key,
          handshakeTimeout: handshakeMs,
          ALPNProtocols: ['http/1.1'],
        });
  // The bytes of all headers are limited. A limit to their number would ignore the last ones silently.
  server.maxHeadersCount = 0;
  const connections = new Connections(server);
  const scheme = certificate === undefined ? 'http' : 'https';
  const context: ServerContext = { scheme, connections, outbox: new Outbox(), refuseNext };
  const serve = (exchange: SocketExchange, refusal?: RequestRefusal): void => {
    if (connections.hasEnded(exchange.incoming.socket)) return;
    void serveRequest(sandbox, { exchange, context, locate, refusal });
  };
  server.on('request', (incoming, outgoing) => {
    serve({ incoming, outgoing }, refuseFraming(incoming));
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    serve({ incoming, outgoing }, unknownExpectation);
  });
  const { onUnreadable: report } = sandbox;
  answerUnread(server, { connections, report, refuse: (refusal) => sandbox.refuseUnread(refusal) });
  return { server, connections };
}

const unknownExpectation: RequestRefusal = {
  kind: 'expectation-failed',
  reason: 'The Expect header has another value than 100-continue. Remove the header.',
};

interface Serving {
  readonly exchange: SocketExchange;
  readonly context: ServerContext;
  readonly locate: () => SocketLocation;
  readonly refusal: RequestRefusal | undefined;
}

async function serveRequest(
  sandbox: ServedSandbox,
  { exchange, context, locate, refusal }: Serving,
): Promise<void> {
  const address = readAddress(exchange.incoming, context.scheme);
  const transport = new SocketTransport(exchange, address, context);
  try {
    const response = await sandbox.answer({
      transport,
      location: locate(),
      toRequest: () => requestOf(exchange.incoming, transport),
      refusal: address.refusal ?? refusal,
    });
    await sendResponse(response, transport);
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
