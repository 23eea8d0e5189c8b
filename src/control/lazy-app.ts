/**
 * The outer app of the control API and the pages. It answers health itself and loads the rest on the first request,
 * because most sandboxes never need it and a start should not wait for it.
 */
import { Hono } from 'hono';
import type { ControlApp, ControlSettings } from './app.ts';
import { onOwnPort } from './guards/port-routing.ts';
import { transportOf, type TransportEnv } from '../transport-port/transport-env.ts';
import { bindHealth } from './routes/health.ts';
import { errorResponse } from './errors/error-response.ts';
import { safeHeaders } from './guards/no-store.ts';
import { knownHosts, sameOriginOnly } from './guards/origin.ts';
import type { ControlVerbs } from './verbs.ts';

/** The paths of the control API and the pages, without a trailing slash. */
const ownPath = /^\/(?:$|favicon\.ico$|openapi\.json$|llms\.txt$|(?:docs|_sandbox)(?:\/|$))/;

/** Whether the control API or a page has a path. The service answers every other path. */
export function isControlPath(path: string): boolean {
  return ownPath.test(path);
}

export type LazyControlApp = Hono<TransportEnv>;

/** Creates the app. */
export function createLazyControlApp(
  verbs: ControlVerbs,
  settings: ControlSettings,
): LazyControlApp {
  const app = new Hono<TransportEnv>({ strict: false });
  app.use(safeHeaders);
  app.use(onOwnPort);
  app.use('/_sandbox/*', sameOriginOnly(knownHosts(settings.allowedHosts, settings.baseUrl)));
  bindHealth(app, verbs);
  // Browsers request it with every page and even with JSON. Without this route it would be logged and counted like a
  // `/v1` request.
  app.get('/favicon.ico', (c) => transportOf(c).send({ status: 204, headers: {}, body: null }));
  app.onError((error, c) => errorResponse(error, c, settings.onFailure));
  let loading: Promise<ControlApp> | undefined;
  const load = async () => (await import('./app.ts')).createControlApp(verbs, settings);
  app.all('*', async (c) => {
    loading ??= load();
    return (await loading).fetch(c.req.raw, c.env);
  });
  return app;
}
