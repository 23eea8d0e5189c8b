/** Health: asked for by whoever waits for a start, so it needs no schema and nothing else of the control plane. */
import type { Hono } from 'hono';
import { healthPath } from '../contract/health-path.ts';
import type { DoorEnv } from '../wire/door-env.ts';
import { freshOnly } from './fresh-only.ts';
import { unknownWord } from './unknown-word.ts';
import type { ControlVerbs } from './verbs.ts';

/** Binds the call that `controlRoutes.health` declares. */
export function bindHealth(app: Hono<DoorEnv>, verbs: ControlVerbs): void {
  app.get(healthPath, freshOnly, (c) => {
    const [parameter] = Object.keys(c.req.query());
    if (parameter !== undefined) throw unknownWord('query', parameter, []);
    const health = verbs.health();
    return c.json(health, health.status === 'ready' ? 200 : 503);
  });
}
