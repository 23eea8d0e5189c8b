/** Answers health without a schema: programs that wait for a start call it before anything else is loaded. */
import type { Hono } from 'hono';
import { healthPath } from '../../contract/constants.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import { ownOriginOnly } from '../../transport-port/safe-headers.ts';
import { noStoreHeaders, forbidStore } from '../guards/no-store.ts';
import { unknownWord } from '../errors/unknown-word.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds the route of the verb `health`. */
export function bindHealth(app: Hono<TransportEnv>, verbs: ControlVerbs): void {
  app.get(healthPath, (c) => {
    const [parameter] = Object.keys(c.req.query());
    if (parameter !== undefined) {
      forbidStore(c);
      throw unknownWord('query', parameter, []);
    }
    const health = verbs.health();
    // The transport sends the answer. With `c.json`, the first answer would wait until Node's `fetch` is loaded.
    return transportOf(c).send({
      status: health.status === 'ready' ? 200 : 503,
      headers: { 'Content-Type': 'application/json', ...noStoreHeaders, ...ownOriginOnly },
      body: JSON.stringify(health),
    });
  });
}
