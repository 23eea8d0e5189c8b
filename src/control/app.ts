/** The app of the control API and the pages for people: every path outside `/v1` except health. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { controlRoutes } from '../contract/control/routes.ts';
import { declareControlToken } from '../contract/control/document.ts';
import { healthPath } from '../contract/constants.ts';
import type { LinkBase } from '../transport-port/link-base.ts';
import { transportOf, type TransportEnv } from '../transport-port/transport-env.ts';
import type { ControlFailureListener } from './errors/control-error.ts';
import { errorResponse } from './errors/error-response.ts';
import { notFound, type ServedPath } from './errors/not-found.ts';
import { boundedBody, absentBody } from './guards/body.ts';
import { withToken } from './guards/control-token.ts';
import { noStore } from './guards/no-store.ts';
import { bindPages } from './pages/bind-pages.ts';
import { bindVerbs } from './routes/bind-verbs.ts';
import { callOf } from './routes/declared-call.ts';
import type { ControlVerbs } from './verbs.ts';

export interface ControlSettings {
  /** The configured origin of links, whose host browsers may use. */
  readonly baseUrl: string | undefined;
  /** The origin of links on pages of the service. */
  readonly linkBase: LinkBase;
  /** The token that calls must carry, if any. */
  readonly token: string | undefined;
  /** Host names that browsers may use, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly onFailure: ControlFailureListener | undefined;
}

export type ControlApp = OpenAPIHono<TransportEnv>;

/** Makes the app behind `lazy-app.ts`, which has already checked the origin and port. */
export function createControlApp(sandbox: ControlVerbs, settings: ControlSettings): ControlApp {
  const { linkBase, token, onFailure } = settings;
  const app = new OpenAPIHono<TransportEnv>({ strict: false });
  app.use('/_sandbox/*', noStore);
  if (token !== undefined) app.use('/_sandbox/*', withToken(token));
  declareControlToken(app);
  app.use(boundedBody);
  for (const { method, getRoutingPath, request } of controlRoutes) {
    if (method !== 'get' && request?.body === undefined) {
      app.on(method.toUpperCase(), [getRoutingPath()], absentBody);
    }
  }
  bindVerbs(app, sandbox);
  bindPages(app, sandbox, linkBase);
  app.onError((error, c) => errorResponse(error, c, onFailure, typesOf));
  const served = [health, ...servedBy(app)];
  app.notFound((c) =>
    errorResponse(notFound(c.req.path, transportOf(c).method, served), c, onFailure, typesOf),
  );
  return app;
}

/** Body types that the call of a request accepts. */
const typesOf = (c: Context): readonly string[] => callOf(c).types;

/** `lazy-app.ts` answers this path. */
const health: ServedPath = { path: healthPath, methods: ['GET', 'HEAD'] };

/** Lists every path of an app with its methods. Hono answers HEAD for every GET route. */
function servedBy(app: ControlApp): ServedPath[] {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    const documented = path.replaceAll(/:(\w+)/g, '{$1}');
    const known = methods.get(documented) ?? new Set();
    known.add(method);
    if (method === 'GET') known.add('HEAD');
    methods.set(documented, known);
  }
  return [...methods].map(([path, allowed]) => ({ path, methods: [...allowed] }));
}
