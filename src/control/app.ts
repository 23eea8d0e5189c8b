/** The app of the control plane and the pages for people: everything that is not `/v1`, but for health. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { controlRoutes } from '../contract/control/routes.ts';
import { declareControlToken } from '../contract/control/document.ts';
import { healthPath } from '../contract/health-path.ts';
import { boundedBody, noBody } from './guards/body.ts';
import { bindCalls } from './routes/routes.ts';
import type { TransportEnv } from '../transport-port/transport-env.ts';
import { explainShape } from './errors/schema-issues.ts';
import { bindForcing } from './routes/forcing.ts';
import { freshOnly } from './guards/no-store.ts';
import { bindJournal } from './routes/journal.ts';
import type { ControlFailureListener } from './errors/control-error.ts';
import { lost, type Served } from './errors/not-found.ts';
import { refuse } from './errors/error-response.ts';
import { bindVerdict } from './routes/verdict.ts';
import { bindPages } from './pages/bind-pages.ts';
import { withToken } from './guards/control-token.ts';
import type { ControlVerbs } from './verbs.ts';
import { bindWorlds } from './routes/worlds.ts';

export interface ControlSettings {
  /** Where the sandbox is reached; the address of each request when absent. */
  readonly baseUrl: string | undefined;
  /** What calls must carry, if something. */
  readonly token: string | undefined;
  /** Names that browsers may call it by, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly onFault: ControlFailureListener | undefined;
}

export type ControlApp = OpenAPIHono<TransportEnv>;

/** What `front.ts` lets in and does not answer itself. */
export function createControlApp(verbs: ControlVerbs, settings: ControlSettings): ControlApp {
  const { baseUrl, token, onFault } = settings;
  const app = new OpenAPIHono<TransportEnv>({ strict: false, defaultHook: explainShape });
  app.use('/_sandbox/*', freshOnly);
  if (token !== undefined) app.use('/_sandbox/*', withToken(token));
  declareControlToken(app);
  app.use(boundedBody);
  for (const { method, getRoutingPath, request } of Object.values(controlRoutes)) {
    if (method !== 'get' && !('body' in request)) {
      app.on(method.toUpperCase(), [getRoutingPath()], noBody);
    }
  }
  app.openAPIRegistry.registerPath(controlRoutes.health);
  bindCalls(app, verbs);
  bindForcing(app, verbs);
  bindJournal(app, verbs);
  bindWorlds(app, verbs);
  bindVerdict(app, verbs);
  bindPages(app, verbs, baseUrl);
  app.onError((error, c) => refuse(error, c, onFault));
  const served = [health, ...servedBy(app)];
  app.notFound((c) => refuse(lost(c.req.path, c.req.method, served), c, onFault));
  return app;
}

/** The front answers it. */
const health: Served = { path: healthPath, methods: ['GET', 'HEAD'] };

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
