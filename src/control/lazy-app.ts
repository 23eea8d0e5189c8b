/**
 * The outer app of the control API and the pages. It answers health itself and loads the rest on the first request,
 * because most sandboxes never need it and a start should not wait for it.
 */
import { Hono, type Env } from 'hono';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ControlApp, ControlSettings } from './app.ts';
import { onOwnPort } from './guards/port-routing.ts';
import { transportOf, type TransportEnv } from '../transport-port/transport-env.ts';
import { bindHealth } from './routes/health.ts';
import { errorResponse } from './errors/error-response.ts';
import { knownHosts, sameOriginOnly } from './guards/origin.ts';
import type { ControlVerbs } from './verbs.ts';

/** The paths that the control API and the pages serve. */
const mounts = ['/', '/favicon.ico', '/openapi.json', '/docs/*', '/_sandbox/*'] as const;

export type LazyControlApp = Hono<TransportEnv>;

/**
 * Serves the control plane and the pages in the service's app. Each path has one handler and there is no middleware, so
 * a `/v1` request runs only its own handler.
 */
export function mountControl<E extends TransportEnv & Env>(
  app: OpenAPIHono<E>,
  control: () => LazyControlApp,
): void {
  for (const path of mounts) {
    app.all(path, (c) => control().fetch(c.req.raw, c.env));
  }
}

/** Creates the app. */
export function createLazyControlApp(
  verbs: ControlVerbs,
  settings: ControlSettings,
): LazyControlApp {
  const app = new Hono<TransportEnv>({ strict: false });
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
