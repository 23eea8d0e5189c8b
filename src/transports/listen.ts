/** The socket transport: serves the apps of a sandbox on one, two or three ports. */
import { z } from '@hono/zod-openapi';
import { operationNames, requestSchemas } from '../contract/service/operations.ts';
import { compileSchemas } from '../contract/shape.ts';
import { pathOf } from '../documents/file-url.ts';
import { lazySchemas, validateOptions } from '../documents/validate-options.ts';
import { isCertificateHost, isListenHost, listenHostWords } from '../shared/host-names.ts';
import type { Address, Planes } from '../transport-port/listener-address.ts';
import { openServer, type OpenServer, type ServerSettings } from './http-server.ts';
import type { Listening, ListenOptions, TlsPaths } from './listen-options.ts';
import type { ConnectionRefuser } from './refuse-connections.ts';
import type { ServedSandbox } from './served-sandbox.ts';

const portNumber = () => z.int().min(0).max(65_535);

const listenHost = () =>
  z.string().min(1).max(255).refine(isListenHost, `must be ${listenHostWords}`);

const certificateHost = () =>
  z.string().refine(isCertificateHost, 'must be a host name or an IP address, without a port');

const listenSchemas = lazySchemas({
  port: portNumber,
  host: listenHost,
  control: () => z.strictObject({ port: portNumber(), host: listenHost().optional() }),
  tls: () =>
    z.union([
      z.boolean(),
      z.strictObject({
        port: portNumber().optional(),
        hosts: z.array(certificateHost()).max(100).optional(),
        caFile: z.string().min(1).optional(),
        cert: z.string().min(1).optional(),
        key: z.string().min(1).optional(),
      }),
    ]),
});

const requestSchemaList = operationNames
  .flatMap((name) => Object.values(requestSchemas(name)))
  .filter((schema) => schema !== undefined);

type PathOptions = Omit<ListenOptions, 'tls'> & { readonly tls?: boolean | TlsPaths | undefined };

/** Replaces the file URLs of the TLS options by the paths that they name. */
function withPaths(options: ListenOptions): PathOptions {
  const names = ['cert', 'key', 'caFile'] as const;
  const { tls } = Object(options) as ListenOptions; // Callers without types may give anything.
  if (typeof tls !== 'object' || tls === null) return options as PathOptions; // No path is given.
  const given = names.filter((name) => tls[name] !== undefined);
  return {
    ...options,
    tls: {
      ...tls,
      ...Object.fromEntries(given.map((name) => [name, pathOf(tls[name])])),
    } as TlsPaths,
  };
}

/** Starts to serve a sandbox. Resolves when it listens. */
export async function listen(
  sandbox: ServedSandbox,
  given: ListenOptions = {},
): Promise<Listening> {
  const options = withPaths(given);
  validateOptions(listenSchemas, options);
  compileSchemas(requestSchemaList);
  const { port = 0, control } = options;
  const host = withoutBrackets(options.host ?? '127.0.0.1');
  const tls = tlsOptionsOf(options.tls);
  const certificate =
    tls && (await (await import('./tls/tls-options.ts')).certificateFor(tls, host));
  /** Has both addresses once the servers listen. */
  const bound: { planes?: { readonly service: Address; readonly control: Address } } = {};
  const locate = (here: Planes['here'], boundHost: string) => () => ({
    host: boundHost,
    planes: bound.planes && { here, ...bound.planes },
  });
  const opened: OpenServer[] = [];
  const open = async (settings: ServerSettings): Promise<OpenServer> => {
    const server = await openServer(sandbox, settings);
    opened.push(server);
    return server;
  };
  /** A fault that refuses connections applies to every port of the service. */
  const refusers: ConnectionRefuser[] = [];
  const openService = (more: Pick<ServerSettings, 'server' | 'port' | 'certificate'>) =>
    open({ host, refusers, locate: locate('service', host), ...more });
  const openControl = async (at: NonNullable<ListenOptions['control']>): Promise<OpenServer> => {
    const controlHost = withoutBrackets(at.host ?? host);
    const where = { host: controlHost, port: at.port };
    return open({
      server: 'control',
      ...where,
      refusers: [],
      locate: locate('control', controlHost),
    });
  };
  try {
    // Opened first, so that the service never answers for the control API, not even for a moment.
    const controlServer = control && (await openControl(control));
    const service = await openService({ server: 'service', port });
    const secure = tls && (await openService({ server: 'tls', port: tls.port ?? 0, certificate }));
    if (controlServer !== undefined) {
      bound.planes = { service: service.at, control: controlServer.at };
    }
    return {
      ...service.at,
      control: controlServer?.at ?? service.at,
      tls: secure && { ...secure.at, ca: certificate?.ca },
      close: async (graceMs) => {
        await Promise.all(opened.map((server) => server.close(graceMs)));
      },
      unref: () => {
        for (const server of opened) server.unref();
      },
    };
  } catch (error) {
    await Promise.all(opened.map((server) => server.close()));
    throw error;
  }
}

function tlsOptionsOf(tls: PathOptions['tls']): TlsPaths | undefined {
  if (tls === true) return {};
  return tls === false ? undefined : tls;
}

/** Accepts an IPv6 address in the form of URLs. */
function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
