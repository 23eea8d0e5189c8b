/** The app of the control plane and the pages for people: everything that is not `/v1`. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { controlRoutes } from '../contract/control.ts';
import { declareControlToken } from '../contract/control-document.ts';
import { boundedBody, noBody } from './body.ts';
import { bindCalls } from './calls.ts';
import { atHomeOnly, placeIn, type ControlEnv } from './elsewhere.ts';
import { explainShape } from './explain.ts';
import { bindForcing } from './forcing.ts';
import { bindJournal } from './journal.ts';
import { lost, type Served } from './lost.ts';
import { refuse } from './mistake.ts';
import { knownHosts, ownPagesOnly } from './origin.ts';
import { bindVerdict } from './verdict.ts';
import { bindPages } from './pages/bind-pages.ts';
import { withToken } from './token.ts';
import type { ControlVerbs } from './verbs.ts';
import { bindWorlds } from './worlds.ts';

export interface ControlSettings {
  /** Where the sandbox is reached; the address of each request when absent. */
  readonly baseUrl: string | undefined;
  /** What calls must carry, if something. */
  readonly token: string | undefined;
  /** Names that browsers may call it by, beside those of this machine. */
  readonly allowedHosts: readonly string[];
}

/** What the control plane serves of a sandbox's paths. */
const mounts = ['/', '/openapi.json', '/docs/*', '/_sandbox/*'] as const;

export type ControlApp = OpenAPIHono<ControlEnv>;

/**
 * Serves the control plane and the pages in the service's app. One handler for each path and nothing before it,
 * so that a `/v1` request still meets its own handler alone.
 */
export function mountControl<E extends ControlEnv>(
  app: OpenAPIHono<E>,
  control: () => ControlApp,
): void {
  for (const path of mounts) {
    app.all(path, (c) => control().fetch(c.req.raw, { place: placeIn(c.env) }));
  }
}

/** The control plane and the pages, as an app of their own. */
export function createControlApp(verbs: ControlVerbs, settings: ControlSettings): ControlApp {
  const { baseUrl, token, allowedHosts } = settings;
  const app = new OpenAPIHono<ControlEnv>({ strict: false, defaultHook: explainShape });
  app.use(atHomeOnly);
  app.use('/_sandbox/*', ownPagesOnly(knownHosts(allowedHosts, baseUrl)));
  app.use('/_sandbox/*', freshOnly);
  if (token !== undefined) app.use('/_sandbox/*', withToken(token));
  declareControlToken(app);
  app.use(boundedBody);
  for (const { method, getRoutingPath, request } of Object.values(controlRoutes)) {
    if (method !== 'get' && !('body' in request)) {
      app.on(method.toUpperCase(), [getRoutingPath()], noBody);
    }
  }
  bindCalls(app, verbs);
  bindForcing(app, verbs);
  bindJournal(app, verbs);
  bindWorlds(app, verbs);
  bindVerdict(app, verbs);
  bindPages(app, verbs, baseUrl);
  app.onError(refuse);
  const served = servedBy(app);
  app.notFound((c) => refuse(lost(c.req.path, c.req.method, served), c));
  return app;
}

/** What a call shows is true of one moment, so nobody keeps it. */
const freshOnly: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
};

/** Every path with its methods, as the app itself knows them. Hono answers HEAD wherever it answers GET. */
function servedBy(app: ControlApp): Served[] {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    const documented = path.replaceAll(/:(\w+)/g, '{$1}');
    const so = methods.get(documented) ?? new Set();
    so.add(method);
    if (method === 'GET') so.add('HEAD');
    methods.set(documented, so);
  }
  return [...methods].map(([path, allowed]) => ({ path, methods: [...allowed] }));
}
