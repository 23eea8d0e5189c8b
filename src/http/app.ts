/** The `/v1` app: every declared operation bound to its handler, and the way out for everything else. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { JsonOperation } from '../contract/service/operations.ts';
import { bind } from './bind.ts';
import { Hall, type HallSettings } from './pipeline.ts';
import { turnLost } from './not-found.ts';
import type { Handlers } from './operation.ts';
import { paymentHandlers } from './handlers/payments.ts';
import { bindToken } from './handlers/token.ts';
import { authorizationHandlers, captureHandlers, saleHandlers } from './handlers/transactions.ts';
import { vaultHandlers } from './handlers/vault.ts';
import type { TransportEnv } from '../transport-port/transport-env.ts';

/** A forgotten operation does not compile. */
const handlers: Handlers<JsonOperation> = {
  ...vaultHandlers,
  ...paymentHandlers,
  ...saleHandlers,
  ...authorizationHandlers,
  ...captureHandlers,
};

/** Paths match with and without a trailing slash; nothing is ever redirected (contract.md §14.1). */
export function createServiceApp(settings: HallSettings): OpenAPIHono<TransportEnv> {
  const app = new OpenAPIHono<TransportEnv>({ strict: false });
  const hall = new Hall(settings);
  bindToken(app, hall);
  for (const name of Object.keys(handlers)) bindNamed(app, hall, name as JsonOperation);
  app.notFound((c) => turnLost(hall, c));
  return app;
}

/** Names come from the table's own keys. */
function bindNamed<N extends JsonOperation>(
  app: OpenAPIHono<TransportEnv>,
  hall: Hall,
  name: N,
): void {
  const handler: Handlers<JsonOperation>[N] = handlers[name];
  bind(app, hall, name, handler);
}
