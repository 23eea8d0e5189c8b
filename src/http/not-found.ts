/** Answers requests that no operation serves: a wrong method, an area that is not served, an unknown or an invalid path. */
import type { Context } from 'hono';
import { unservedAreas, type UnservedArea } from '../contract/not-served.ts';
import { nearestPath } from '../shared/did-you-mean.ts';
import { runSteps, wait, type Steps } from '../shared/steps.ts';
import {
  transportOf,
  unreadableReasonOf,
  type TransportEnv,
} from '../transport-port/transport-env.ts';
import type { Reply } from '../transport-port/transport.ts';
import type { RequestContext, ServiceSettings } from './context.ts';
import { refuse, type Refusal } from './errors.ts';
import { openContext } from './pipeline.ts';
import { routes } from './routes.ts';
import { identifyCaller } from './steps/authenticate.ts';
import { recordExchange } from './steps/record-exchange.ts';

/**
 * Answers 405 with Allow for a known path, 501 with its name for an area of the real service that is not served, 404 with
 * the nearest path for an unknown one, and 400 if there is no path.
 * Seed silent: an invalid address is a malformed request like any other, so its debug id leads to the reason.
 */
export function answerNotFound(
  service: ServiceSettings,
  c: Context<TransportEnv>,
): Response | Promise<Response> {
  const transport = transportOf(c);
  const caller = identifyCaller(service.tokens, transport);
  const context = openContext(service, c.req, {
    transport,
    operation: undefined,
    writes: false,
    caller,
  });
  return runSteps(recordExchange(context, refuseRequest(context, unreadableReasonOf(c))));
}

function* refuseRequest(
  { service, exchange, request }: RequestContext,
  unreadable: string | undefined,
): Steps<Reply> {
  yield* wait(service.hooks.beforeRead?.(exchange));
  const isReadable = unreadable === undefined;
  return refuse(exchange, isReadable ? refusePath(request.path) : refuseUnreadable(unreadable));
}

function refuseUnreadable(why: string): Refusal {
  return {
    kind: 'malformed-request',
    reason: `The path and the Host header make no address (${why}). Send a path that begins with / and has no backslash, and a Host such as localhost:3000.`,
  };
}

function refusePath(path: string): Refusal {
  const route = routes.find(({ pattern }) => pattern.test(path));
  if (route !== undefined) {
    const allow = route.methods.join(', ');
    return {
      kind: 'method-not-allowed',
      reason: `${route.path} is served with ${allow}.`,
      public: allow,
      headers: { Allow: allow },
    };
  }
  const unserved = findUnservedArea(path);
  if (unserved !== undefined) return refuseArea(unserved);
  // The client's path may contain a card number, so the message names only the documented path.
  const near = nearestPath(path, routes);
  const hint =
    near === undefined
      ? 'All paths are listed at /docs'
      : `The nearest path is ${near.methods.join(', ')} ${near.path}. All paths are listed at /docs`;
  return { kind: 'unknown-path', reason: hint, public: hint };
}

/** Finds the area of a path: that of the longest path above it. */
function findUnservedArea(path: string): UnservedArea | undefined {
  let longest = 0;
  let found: UnservedArea | undefined;
  for (const area of unservedAreas) {
    for (const above of area.paths) {
      const isWithin = path === above || path.startsWith(`${above}/`);
      if (!isWithin || above.length <= longest) continue;
      longest = above.length;
      found = area;
    }
  }
  return found;
}

function refuseArea({ area, instead, later }: UnservedArea): Refusal {
  const text = `${area}${later === true ? ' yet' : ''}. ${instead}`;
  return {
    kind: 'not-served',
    reason: `The real service has this path, but this sandbox does not serve ${text}.`,
    public: text,
  };
}
