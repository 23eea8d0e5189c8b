/** Answers health without a schema, because a program that waits for a start calls it before anything else is loaded. */
import type { Hono } from 'hono';
import { healthPath } from '../../contract/constants.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import { noStoreHeaders, forbidStore } from '../guards/no-store.ts';
import { unknownWord } from '../errors/unknown-word.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds the call that the verb `health` declares. */
export function bindHealth(app: Hono<TransportEnv>, verbs: ControlVerbs): void {
  app.get(healthPath, (c) => {
    const [parameter] = Object.keys(c.req.query());
    if (parameter !== undefined) {
      forbidStore(c);
      throw unknownWord('query', parameter, []);
    }
    const health = verbs.health();
    // By the wire: the framework's way would have the first answer wait until all of Node's `fetch` is loaded.
    return transportOf(c).send({
      status: health.status === 'ready' ? 200 : 503,
      headers: { 'Content-Type': 'application/json', ...noStoreHeaders },
      body: JSON.stringify(health),
    });
  });
}
