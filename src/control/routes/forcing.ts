/** The control calls that make things happen: each reads its input, calls one verb and says what it answered. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { controlRoutes } from '../../contract/control/routes.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';
import { checked } from './merchant-param.ts';
import type { TransportEnv } from '../../transport-port/transport-env.ts';
import { reading } from '../errors/document-error.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import { sentScenario } from './sent-scenario.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds the calls about outcomes, rules, scenarios and test cards. */
export function bindForcing(app: OpenAPIHono<TransportEnv>, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.outcomes, (c) => {
    const shown = verbs.outcomes(c.req.valid('query'));
    return c.json([...shown], 200);
  });
  app.openapi(controlRoutes.outcome, (c) => {
    const { id } = c.req.valid('param');
    return c.json(outcomeAt(verbs, id), 200);
  });
  app.openapi(controlRoutes.force, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    const rule = c.req.valid('json');
    const ids = reading('invalid-rule', () => verbs.force(merchant, rule));
    return c.json({ ids }, 201);
  });
  app.openapi(controlRoutes.rules, (c) => {
    const { merchant, unfired } = c.req.valid('query');
    const verb = unfired === 'true' ? 'unfired' : 'rules';
    return c.json(verbs[verb](checked(merchant)), 200);
  });
  app.openapi(controlRoutes.disarmAll, (c) =>
    c.json({ disarmed: verbs.disarm(checked(c.req.valid('query').merchant)) }, 200),
  );
  app.openapi(controlRoutes.disarm, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    return c.json({ disarmed: verbs.disarm(merchant, c.req.valid('param').id) }, 200);
  });
  app.openapi(controlRoutes.playScenario, async (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    const sent = await sentScenario(c.req, c.req.valid('json'), verbs.scenarios());
    const scenario = reading('invalid-scenario', () => verbs.playScenario(merchant, sent()));
    return c.json({ scenario }, 200);
  });
  app.openapi(controlRoutes.scenarios, (c) => c.json(verbs.scenarios(), 200));
  app.openapi(controlRoutes.generateCards, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    return c.json(verbs.generateCards(merchant, c.req.valid('json')), 200);
  });
}

function outcomeAt(verbs: ControlVerbs, id: string): ReturnType<ControlVerbs['outcome']> {
  try {
    return verbs.outcome(id);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new ControlRequestError('unknown-outcome', error.message, {
      place: 'path.id',
      nearest: error.nearest,
    });
  }
}
