/** The `/v1` app: every declared operation bound to its handler, and an answer for every other request. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { tryDecodeURIComponent } from 'hono/utils/url';
import { operations, type JsonOperation } from '../contract/service/operations.ts';
import type { RequestRefusal } from '../transport-port/request-refusal.ts';
import type { RequestTarget } from '../transport-port/request-target.ts';
import { isBodiless, type Reply, type Transport } from '../transport-port/transport.ts';
import type { RoutedCall, ServiceSettings } from './context.ts';
import { refuse } from './reply.ts';
import type { Exchange } from './exchange.ts';
import { paymentHandlers } from './handlers/payments.ts';
import { createToken } from './handlers/token.ts';
import { authorizationHandlers, captureHandlers, saleHandlers } from './handlers/transactions.ts';
import { vaultHandlers } from './handlers/vault.ts';
import { answerUnrouted } from './not-found.ts';
import { createEndpoint, type Handlers } from './operation.ts';
import { handleRequest } from './pipeline.ts';
import { pathSpellings } from './routes.ts';
import { openExchange } from './steps/open-exchange.ts';

/** The type requires a handler for every operation. */
const handlers: Handlers<JsonOperation> = {
  ...vaultHandlers,
  ...paymentHandlers,
  ...saleHandlers,
  ...authorizationHandlers,
  ...captureHandlers,
};

/** A `/v1` request, before it is routed. */
export interface ServiceCall {
  readonly transport: Transport;
  readonly target: RequestTarget;
  /** Set if no route can serve the request. */
  readonly refusal?: RequestRefusal | undefined;
}

/** Answers a request whose path and method were found. */
type Serve = (call: RoutedCall) => Response | Promise<Response>;

export interface ServiceApp {
  /** The declared operations, for the OpenAPI document. */
  readonly declared: OpenAPIHono;
  /** Answers every request outside the control API and the pages. */
  answer(call: ServiceCall): Response | Promise<Response>;
  /** Writes the answer to a request that could not be read, so that no exchange can be recorded. */
  refuseUnread(refusal: RequestRefusal): Reply;
}

/**
 * Paths match with and without a trailing slash; nothing is ever redirected (contract.md §14.1). The router is Hono's. A
 * whole Hono app would require a `Request` object for each request over a socket, which costs a tenth of the request.
 */
export function createServiceApp(service: ServiceSettings): ServiceApp {
  const declared = new OpenAPIHono();
  const router = new SmartRouter<Serve>({ routers: [new RegExpRouter(), new TrieRouter()] });
  const tokenRoute = operations['token.create'];
  declared.openAPIRegistry.registerPath(tokenRoute);
  router.add('POST', tokenRoute.getRoutingPath(), (call) => createToken(service, call));
  // The keys of the table are the names.
  for (const name of Object.keys(handlers) as JsonOperation[]) {
    declared.openAPIRegistry.registerPath(operations[name]);
    addRoutes(router, service, name);
  }
  return {
    declared,
    answer: ({ transport, target, refusal }) => {
      const call = { transport, target, params: {} };
      if (refusal !== undefined) return answerUnrouted(service, call, refusal);
      const method = isBodiless(transport) ? 'GET' : transport.method;
      const [[found], values] = router.match(method, target.path);
      if (found === undefined) return answerUnrouted(service, call);
      const [serve, names] = found;
      return serve({ transport, target, params: pathParams(names, values) });
    },
    refuseUnread: (refusal) => refuse(unreadExchange(service), refusal),
  };
}

/** Serves an operation at every spelling of its path. */
function addRoutes<N extends JsonOperation>(
  router: Router<Serve>,
  service: ServiceSettings,
  name: N,
): void {
  const route = operations[name];
  const handler: Handlers<JsonOperation>[N] = handlers[name];
  const endpoint = createEndpoint(name, handler);
  for (const path of pathSpellings(route.getRoutingPath())) {
    router.add(route.method.toUpperCase(), path, (call) => handleRequest(service, endpoint, call));
  }
}

/** Reads the ids in a path. A router returns them, or their places in a list of values. */
function pathParams(
  names: Readonly<Record<string, string | number>>,
  values: readonly string[] | undefined,
): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const [name, at] of Object.entries(names)) {
    const value = typeof at === 'number' ? values?.[at] : at;
    if (value !== undefined) params[name] = tryDecodeURIComponent(value);
  }
  return params;
}

function unreadExchange({ nextDebugId, nowMs }: ServiceSettings): Exchange {
  return openExchange({
    debugId: nextDebugId(),
    method: '',
    operation: undefined,
    merchant: undefined,
    atMs: nowMs(),
  });
}
