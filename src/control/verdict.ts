/** The control call for the verdict about the money. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { controlRoutes } from '../contract/control.ts';
import type { OrderInput } from '../verdict/order.ts';
import { checked } from './checked.ts';
import { readingLater } from './document-mistake.ts';
import type { ControlVerbs } from './verbs.ts';

/** Binds it. */
export function bindVerdict(app: OpenAPIHono, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.verdict, async (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    // The verb looks at every key, so whatever is no order is refused there.
    const order = c.req.valid('json') as OrderInput;
    return c.json(await readingLater('invalid-verdict', () => verbs.verdict(merchant, order)), 200);
  });
}
