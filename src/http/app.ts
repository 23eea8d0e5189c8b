/** The `/v1` app: every declared operation bound to its handler, and an answer for every other request. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { operations, type JsonOperation } from '../contract/service/operations.ts';
import type { TransportEnv } from '../transport-port/transport-env.ts';
import type { ServiceSettings } from './context.ts';
import { paymentHandlers } from './handlers/payments.ts';
import { createToken } from './handlers/token.ts';
import { authorizationHandlers, captureHandlers, saleHandlers } from './handlers/transactions.ts';
import { vaultHandlers } from './handlers/vault.ts';
import { answerNotFound } from './not-found.ts';
import { createEndpoint, type Handlers } from './operation.ts';
import { handleRequest } from './pipeline.ts';
import { pathSpellings } from './routes.ts';

/** The type requires a handler for every operation. */
const handlers: Handlers<JsonOperation> = {
  ...vaultHandlers,
  ...paymentHandlers,
  ...saleHandlers,
  ...authorizationHandlers,
  ...captureHandlers,
};

type ServiceApp = OpenAPIHono<TransportEnv>;

/** Paths match with and without a trailing slash; nothing is ever redirected (contract.md §14.1). */
export function createServiceApp(service: ServiceSettings): ServiceApp {
  const app: ServiceApp = new OpenAPIHono({ strict: false });
  const tokenRoute = operations['token.create'];
  app.openAPIRegistry.registerPath(tokenRoute);
  app.post(tokenRoute.getRoutingPath(), (c) => createToken(service, c));
  // The keys of the table are the names.
  for (const name of Object.keys(handlers)) bindOperation(app, service, name as JsonOperation);
  app.notFound((c) => answerNotFound(service, c));
  return app;
}

/** Serves an operation at every spelling of its path, and adds it to the OpenAPI document. */
function bindOperation<N extends JsonOperation>(
  app: ServiceApp,
  service: ServiceSettings,
  name: N,
): void {
  const route = operations[name];
  const handler: Handlers<JsonOperation>[N] = handlers[name];
  const endpoint = createEndpoint(name, handler);
  app.openAPIRegistry.registerPath(route);
  for (const path of pathSpellings(route.getRoutingPath())) {
    app.on(route.method.toUpperCase(), [path], (c) => handleRequest(service, endpoint, c));
  }
}
