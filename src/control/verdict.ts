/** The control calls for the verdict about the money, and for what was tried. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { controlRoutes } from '../contract/control.ts';
import type { OrderInput } from '../verdict/order.ts';
import { checked } from './checked.ts';
import type { DoorEnv } from '../wire/door-env.ts';
import { readingLater } from './document-mistake.ts';
import type { ControlVerbs } from './verbs.ts';

/** Binds them. */
export function bindVerdict(app: OpenAPIHono<DoorEnv>, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.verdict, async (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    // The verb looks at every key, so whatever is no order is refused there.
    const order = c.req.valid('json') as OrderInput;
    return c.json(await readingLater('invalid-verdict', () => verbs.verdict(merchant, order)), 200);
  });
  app.openapi(controlRoutes.coverage, (c) => {
    const { merchant } = c.req.valid('query');
    return c.json(verbs.coverage(merchant === undefined ? undefined : checked(merchant)), 200);
  });
}
