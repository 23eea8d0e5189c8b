/** The control calls: each reads its input, calls one verb and says what it answered. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { controlRoutes } from '../../contract/control/routes.ts';
import { metricsType } from '../../contract/control/metrics.ts';
import { defaultMerchant } from '../../contract/default-merchant.ts';
import { changeClock } from './clock.ts';
import { checked } from './merchant-param.ts';
import { decisions } from '../decisions.ts';
import type { TransportEnv } from '../../transport-port/transport-env.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds the calls about the sandbox itself, its merchants and their books. */
export function bindCalls(app: OpenAPIHono<TransportEnv>, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.about, (c) => c.json({ ...verbs.about(), decisions }, 200));
  app.openapi(controlRoutes.metrics, async (c) =>
    c.text(await verbs.metrics(), 200, { 'Content-Type': metricsType }),
  );
  app.openapi(controlRoutes.reset, (c) => {
    const { all, merchant } = c.req.valid('query');
    if (all !== 'true') verbs.reset(checked(merchant ?? defaultMerchant));
    else if (merchant === undefined) verbs.resetAll();
    else throw allOrOne();
    return c.body(null, 204);
  });
  app.openapi(controlRoutes.merchants, (c) => c.json([...verbs.merchants()], 200));
  app.openapi(controlRoutes.deleteMerchant, (c) => {
    verbs.deleteMerchant(c.req.valid('param').id);
    return c.body(null, 204);
  });
  app.openapi(controlRoutes.readClock, (c) =>
    c.json(verbs.readClock(checked(c.req.valid('query').merchant)), 200),
  );
  app.openapi(controlRoutes.changeClock, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    return c.json(changeClock(verbs, merchant, c.req.valid('json')), 200);
  });
  app.openapi(controlRoutes.ledger, (c) =>
    c.json(verbs.ledger(checked(c.req.valid('query').merchant)), 200),
  );
}

function allOrOne(): ControlRequestError {
  return new ControlRequestError(
    'invalid-parameter',
    "Either 'all=true' for every merchant or 'merchant' for one, not both.",
    { place: 'query.all', allowed: ['all', 'merchant'] },
  );
}
