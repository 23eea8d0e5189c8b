/**
 * The path of every `/v1` request, step by step. The numbers are those of docs/architecture.md, "The pipeline".
 *
 * The pipeline waits only for a body, for hooks and at gates. Everything else is synchronous, so nothing can happen between a
 * decision and its commit.
 */
import type { JsonOperation } from '../contract/service/operations.ts';
import { runSteps, wait, type Steps } from '../shared/steps.ts';
import type { Reply } from '../transport-port/transport.ts';
import type { RequestContext, RoutedCall, ServiceSettings } from './context.ts';
import type { Endpoint } from './operation.ts';
import { isRefusal, refuse } from './reply.ts';
import { authenticate } from './steps/authenticate.ts';
import { decideOutcome } from './steps/decide-outcome.ts';
import { executeOnce, executeRead } from './steps/execute.ts';
import { holdAt, mayBeSentBesideOthers } from './steps/hold.ts';
import { identifyCaller, openContext } from './steps/open-exchange.ts';
import { peekAtBody, readInput } from './steps/read-input.ts';
import { recordExchange } from './steps/record-exchange.ts';

type Answer = Response | Promise<Response>;

/** Handles one request of an operation: opens its exchange (1), and records and sends its reply (10 to 12). */
export function handleRequest<N extends JsonOperation>(
  service: ServiceSettings,
  endpoint: Endpoint<N>,
  call: RoutedCall,
): Answer {
  const { operation, handler } = endpoint;
  const caller = identifyCaller(service.tokens, call.transport);
  const writes = handler.kind === 'write';
  const context = openContext(service, call, { operation, writes, caller });
  return runSteps(recordExchange(context, answer(context, endpoint)));
}

function* answer<N extends JsonOperation>(
  context: RequestContext,
  endpoint: Endpoint<N>,
): Steps<Reply> {
  const { exchange, service, transport } = context;
  const { handler } = endpoint;
  // 2. The hook, and outcomes that apply before the request is read.
  yield* wait(service.hooks.beforeRead?.(exchange));
  if (context.world?.ruleBook.isEmpty === false) yield* peekAtBody(context, endpoint);
  const early = decideEarly(context);
  if (early !== undefined) return early;
  // 3. The token, and the world of its merchant.
  const authenticated = authenticate(context);
  if (isRefusal(authenticated)) return refuse(exchange, authenticated);
  // 4. Query and body.
  const input = yield* readInput(authenticated, endpoint);
  if (isRefusal(input)) return refuse(exchange, input);
  // The body or a hook may have taken time.
  authenticated.world.runDueEvents();
  // 5 to 8. Idempotency wraps plan, gate, decision, commit and view.
  const reply =
    handler.kind === 'read'
      ? executeRead(authenticated, handler, input)
      : yield* executeOnce(authenticated, handler, input);
  // 9. The hook after a commit, and the gate before the answer.
  if (exchange.committed) yield* wait(service.hooks.afterCommit?.(exchange));
  const wasHeld = yield* holdAt(authenticated, 'before-answer');
  if (!wasHeld && mayBeSentBesideOthers(authenticated, input, reply))
    yield* wait(transport.gather());
  return reply;
}

/** Ends a request with an outcome that is forced before it is read. */
export function decideEarly(context: RequestContext): Reply | undefined {
  const { exchange } = context;
  const decision = decideOutcome(context, 'before-read');
  if (isRefusal(decision)) return refuse(exchange, decision);
  if (decision?.endsRequest !== true) return undefined;
  context.decision = decision;
  return decision.finalReply(exchange);
}
