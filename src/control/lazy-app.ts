/**
 * What stands before the control plane and the pages. It answers health, and has the rest loaded by whoever asks for it
 * first: most sandboxes are never asked, and those that start should not wait for it.
 */
import { Hono, type Env } from 'hono';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ControlApp, ControlSettings } from './app.ts';
import { atHomeOnly } from './guards/port-routing.ts';
import { transportOf, type TransportEnv } from '../transport-port/transport-env.ts';
import { bindHealth } from './routes/health.ts';
import { errorResponse } from './errors/error-response.ts';
import { knownHosts, ownPagesOnly } from './guards/origin.ts';
import type { ControlVerbs } from './verbs.ts';

/** What the control plane serves of a sandbox's paths. */
const mounts = ['/', '/favicon.ico', '/openapi.json', '/docs/*', '/_sandbox/*'] as const;

export type ControlFront = Hono<TransportEnv>;

/**
 * Serves the control plane and the pages in the service's app. One handler for each path and nothing before it,
 * so that a `/v1` request still meets its own handler alone.
 */
export function mountControl<E extends TransportEnv & Env>(
  app: OpenAPIHono<E>,
  control: () => ControlFront,
): void {
  for (const path of mounts) {
    app.all(path, (c) => control().fetch(c.req.raw, c.env));
  }
}

/** The control plane and the pages, as an app of their own. */
export function createControlFront(verbs: ControlVerbs, settings: ControlSettings): ControlFront {
  const app = new Hono<TransportEnv>({ strict: false });
  app.use(atHomeOnly);
  app.use('/_sandbox/*', ownPagesOnly(knownHosts(settings.allowedHosts, settings.baseUrl)));
  bindHealth(app, verbs);
  // Browsers ask for it with whatever they show, JSON too: as a request under /v1 it would be logged and counted.
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
