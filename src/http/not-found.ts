/** Answers requests that no operation serves: a wrong method, an area that is not served, an unknown or invalid path. */
import { unservedAreas, type UnservedArea } from '../contract/not-served.ts';
import { nearestPath } from '../shared/did-you-mean.ts';
import { runSteps, wait, type Steps } from '../shared/steps.ts';
import type { Reply } from '../transport-port/transport.ts';
import type { RequestContext, RoutedCall, ServiceSettings } from './context.ts';
import { refuse, type Refusal } from './reply.ts';
import { routes } from './routes.ts';
import { identifyCaller, openContext } from './steps/open-exchange.ts';
import { recordExchange } from './steps/record-exchange.ts';

/**
 * Answers 405 with Allow for a known path, 501 with its name for an area of the real service that is not served, and 404
 * with the nearest path for an unknown one. A request that no route can serve is answered with its refusal.
 * Seed silent: an invalid address is a malformed request like any other, so its debug id leads to the reason.
 */
export function answerUnrouted(
  service: ServiceSettings,
  call: RoutedCall,
  refusal?: Refusal,
): Response | Promise<Response> {
  const caller = identifyCaller(service.tokens, call.transport);
  const context = openContext(service, call, { operation: undefined, writes: false, caller });
  return runSteps(recordExchange(context, refuseRequest(context, refusal)));
}

function* refuseRequest(
  { service, exchange, target }: RequestContext,
  refusal: Refusal | undefined,
): Steps<Reply> {
  yield* wait(service.hooks.beforeRead?.(exchange));
  return refuse(exchange, refusal ?? refusePath(target.path));
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
