/**
 * Executes a valid request. A read shows a record; a write plans a change, decides, commits and shows the result, once
 * for each PayPal-Request-Id.
 */
import type { JsonOperation } from '../../contract/service/operations.ts';
import type { Change } from '../../domain/ports.ts';
import { accept, type Result } from '../../domain/refusals.ts';
import { processHash } from '../../shared/process-hash.ts';
import { wait, type Steps } from '../../shared/steps.ts';
import { headerText } from '../../transport-port/header-text.ts';
import type { Reply } from '../../transport-port/transport.ts';
import { requestName } from '../../world/idempotency.ts';
import type { AuthenticatedContext } from '../context.ts';
import type { Input, ReadHandler, WriteHandler } from '../operation.ts';
import { emptyReply, isRefusal, jsonReply, refuse, withHeaders } from '../reply.ts';
import { noOverrides, type ForcedDecision, type PlanOverrides } from './apply-outcome.ts';
import { holdAt } from './hold.ts';
import { decideOutcome } from './decide-outcome.ts';
import { currentSource, staleSource, type ReadSource } from './stale-reads.ts';

/** Answers a read from the current world, or from the stale one that a forced outcome selects. */
export function executeRead<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: ReadHandler<N>,
  input: Input<N>,
): Reply {
  const { exchange } = context;
  const readFrom = ({ books, view, shift }: ReadSource) => handler.read(input, books, view, shift);
  const current = readFrom(currentSource(context));
  // Only transport outcomes apply to a read that finds nothing, because outcomes about records need a record.
  const decision = decideOutcome(context, current.ok ? 'before-commit' : 'repeat');
  if (isRefusal(decision)) return refuse(exchange, decision);
  context.decision = decision;
  const forced = decision?.reply(exchange);
  if (forced !== undefined) return forced;
  const stale = staleSource(decision?.domain, context);
  return resultReply(context, 200, stale === undefined ? current : readFrom(stale));
}

const maxRequestIdLength = 78;

/**
 * Executes a write once for each PayPal-Request-Id (contract.md §6), and answers repeats with the subject of the first
 * request.
 */
export function* executeOnce<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  input: Input<N>,
): Steps<Reply> {
  const { exchange, world, transport } = context;
  const requestId = handler.idempotent
    ? headerText(transport.header('paypal-request-id'))
    : undefined;
  if (requestId === undefined) return yield* executeWrite(context, handler, input);
  if (requestId === '' || requestId.length > maxRequestIdLength) {
    return refuse(exchange, {
      kind: 'request-id-invalid',
      reason: `PayPal-Request-Id must have 1 to ${maxRequestIdLength} characters.`,
    });
  }
  // The path itself is not part of the name: a retry with a trailing slash or in the singular spelling is the same
  // request.
  const key = requestName(exchange.operation ?? '', input.params, world.maskText(requestId));
  // A fingerprint of the content detects a repeat with another body.
  const fingerprint = processHash(JSON.stringify(input));
  const claim = world.requestIds.claim(key, fingerprint, world.nowMs());
  switch (claim.kind) {
    case 'other-body':
      return refuse(exchange, {
        kind: 'request-id-reused',
        reason:
          'An earlier request to this path with this PayPal-Request-Id had another body. Use one id for one intent.',
      });
    case 'in-progress':
      return refuse(exchange, {
        kind: 'request-in-progress',
        reason: 'The first request with this PayPal-Request-Id has not ended. Repeat in a moment.',
      });
    case 'repeat':
      return yield* answerRepeat(context, handler, input, claim.subject);
    case 'first':
      try {
        return yield* executeWrite(context, handler, input);
      } finally {
        // A commit counts even if a later step fails. A refused request is forgotten.
        const { committed, subject } = exchange;
        if (committed && subject !== undefined) world.requestIds.complete(key, subject);
        else world.requestIds.release(key);
      }
  }
}

/**
 * Answers a repeat with the current state of the first request's subject. Nothing is executed, so only transport
 * outcomes can apply.
 */
function* answerRepeat<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  input: Input<N>,
  subject: string,
): Steps<Reply> {
  const { exchange } = context;
  const decision = decideOutcome(context, 'repeat');
  if (isRefusal(decision)) return refuse(exchange, decision);
  if (decision?.ignoresRequestId === true)
    return yield* executeWrite(context, handler, input, decision);
  context.decision = decision;
  exchange.replayed = true;
  exchange.subject = subject;
  const reply = showSubject(context, handler, subject, handler.repeatStatus ?? handler.status);
  return decision?.reply(exchange) ?? withHeaders(reply, { 'Sandbox-Replayed': 'true' });
}

/**
 * Plans a write, runs the hook `beforeCommit`, stops at a gate, and commits. If that takes time, the world may change
 * meanwhile, so the plan is made again. It decides and commits in one synchronous step, so that two requests can never
 * use the same rule. Only an outcome that waits before the commit separates the two. `decided` is the existing decision
 * on a repeat that is executed.
 */
function* executeWrite<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  input: Input<N>,
  decided?: ForcedDecision,
): Steps<Reply> {
  const { exchange, service, world, view, transport } = context;
  const plan = (overrides: PlanOverrides) => handler.plan(input, world, view, overrides);
  let planned = plan(noOverrides);
  if (!planned.ok) return refuse(exchange, planned.refusal);
  const hook = service.hooks.beforeCommit?.(exchange);
  yield* wait(hook);
  const wasHeld = yield* holdAt(context, 'before-commit');
  if (hook instanceof Promise || wasHeld) {
    world.runDueEvents();
    planned = plan(noOverrides);
    if (!planned.ok) return refuse(exchange, planned.refusal);
  }
  const change = planned.value;
  const full = world.checkCapacity(change);
  if (full !== undefined) return refuse(exchange, full);
  const decision = decided ?? decideOutcome(context, 'before-commit', change);
  if (isRefusal(decision)) return refuse(exchange, decision);
  context.decision = decision;
  const waitMs = decision?.waitBeforeCommitMs(exchange) ?? 0;
  if (waitMs === 0) return commitDecided(context, handler, plan, change);
  // The rule is used up before the wait, so that no other request can use it.
  yield* wait(transport.pause(waitMs));
  world.runDueEvents();
  planned = plan(noOverrides);
  if (!planned.ok) return refuse(exchange, planned.refusal);
  const fullNow = world.checkCapacity(planned.value);
  if (fullNow !== undefined) return refuse(exchange, fullNow);
  return commitDecided(context, handler, plan, planned.value);
}

type Plan = (overrides: PlanOverrides) => Result<Change>;

/** Commits what was decided, in the same synchronous step as the last plan. */
function commitDecided<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  plan: Plan,
  change: Change,
): Reply {
  const { exchange, world, decision } = context;
  const deletion = decision?.cardDeletion(world, exchange);
  // The deletion stands for another request, so it happens even if the payment is refused.
  if (deletion?.when === 'before-commit') world.commit(deletion.change);
  const planned = deletion?.when === 'before-commit' ? plan(noOverrides) : accept(change);
  const reply = commitPlan(context, handler, plan, planned);
  if (deletion?.when === 'after-commit') world.commit(deletion.change);
  return reply;
}

/** Commits a plan with the overrides of the decision, and shows its subject. */
function commitPlan<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  plan: Plan,
  planned: Result<Change>,
): Reply {
  const { exchange, world, decision } = context;
  if (decision?.preventsCommit === true) return decision.finalReply(exchange);
  if (!planned.ok) {
    const refusal = refuse(exchange, planned.refusal);
    return decision?.reply(exchange) ?? refusal;
  }
  const overrides = decision?.overrides(exchange);
  const overridden = overrides === undefined ? planned : plan(overrides);
  const change = overridden.ok ? overridden.value : planned.value;
  world.commit(change);
  if (decision?.commitsTwice === true) commitTwin(context, plan(noOverrides));
  exchange.committed = true;
  exchange.subject = change.subject;
  const reply = showSubject(context, handler, change.subject, handler.status);
  return decision?.reply(exchange) ?? reply;
}

/** Commits the same request a second time, if it is still possible. */
function commitTwin({ exchange, world }: AuthenticatedContext, again: Result<Change>): void {
  if (!again.ok || world.checkCapacity(again.value) !== undefined) return;
  world.commit(again.value);
  exchange.twin = again.value.subject;
}

/** Shows the subject of a write as it is now. */
function showSubject<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  subject: string,
  status: number,
): Reply {
  return resultReply(context, status, handler.show(subject, context.view));
}

function resultReply(
  { exchange }: AuthenticatedContext,
  status: number,
  shown: Result<object | null>,
): Reply {
  if (!shown.ok) return refuse(exchange, shown.refusal);
  return shown.value === null
    ? emptyReply(exchange, status)
    : jsonReply(exchange, status, shown.value);
}
