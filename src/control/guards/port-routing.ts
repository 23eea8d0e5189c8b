/** Decides which server serves a path if the control API has its own port. */
import type { Context, MiddlewareHandler } from 'hono';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import {
  urlOf,
  type TransportLocation,
  type Planes,
} from '../../transport-port/listener-address.ts';
import { ControlRequestError } from '../errors/control-error.ts';

const planeNames = { service: 'The service', control: 'The control API' } as const;

/** The server of each path. Both servers serve the landing page and the assets. */
const homes: readonly (readonly [form: RegExp, plane: Planes['here']])[] = [
  [/^\/_sandbox(?:\/|$)/, 'control'],
  [/^\/docs\/control\/?$/, 'control'],
  [/^\/docs\/?$/, 'service'],
  [/^\/openapi\.json\/?$/, 'service'],
  [/^\/v1(?:\/|$)/, 'service'],
];

/** Answers 404 with the address that serves the path. */
export const onOwnPort: MiddlewareHandler<TransportEnv> = async (c, next) => {
  const planes = planesOf(c);
  const [, home] = homes.find(([form]) => form.test(c.req.path)) ?? [];
  if (planes !== undefined && home !== undefined && home !== planes.here) {
    const base = urlOf(planes[home], hostNameIn(c));
    throw new ControlRequestError(
      'unknown-path',
      `${planeNames[home]} does not answer on this port but at ${base}: ask for ${base}${c.req.path.slice(0, 256)}.`,
      { place: 'path', nearest: base },
    );
  }
  await next();
};

/** The origin of each server; empty for the server that answers. */
export type ServerBases = Readonly<Record<Planes['here'], string>>;

/** The origins of the links on a page. */
export function linkBasesOf(c: Context<TransportEnv>): ServerBases {
  const planes = planesOf(c);
  if (planes === undefined) return { service: '', control: '' };
  const hostname = hostNameIn(c);
  const baseOf = (plane: Planes['here']) =>
    plane === planes.here ? '' : urlOf(planes[plane], hostname);
  return { service: baseOf('service'), control: baseOf('control') };
}

/** The full addresses of both servers, for people to type. `base` is the origin that the client used, or a configured one. */
export function basesOf(c: Context<TransportEnv>, base: string): ServerBases {
  const { service, control } = linkBasesOf(c);
  return { service: service || base, control: control || base };
}

/** The host that the client used, without its port. */
function hostNameIn(c: Context<TransportEnv>): string {
  return transportOf(c)
    .origin.replace(/^\w+:\/\//, '')
    .replace(/:\d*$/, '');
}

function planesOf(c: Context<TransportEnv>): Planes | undefined {
  const place = locationIn(c.env);
  return place === undefined || place === 'in process' ? undefined : place.planes;
}

/** Absent if the app is called without a transport. */
export function locationIn(
  env: TransportEnv['Bindings'] | undefined,
): TransportLocation | undefined {
  return env?.location;
}
