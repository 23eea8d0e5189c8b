/** Handles PayPal-Request-Id: writes with the same id and body are executed once (contract.md §6). */
import type { JsonOperation } from '../../contract/service/operations.ts';
import type { Reply } from '../../transport-port/transport.ts';
import { processHash } from '../../shared/process-hash.ts';
import type { Steps } from '../../shared/steps.ts';
import type { AuthenticatedContext } from '../context.ts';
import { isRefusal, refuse } from '../errors.ts';
import type { Input, WriteHandler } from '../operation.ts';
import { requestName } from '../../world/idempotency.ts';
import { withHeaders } from '../reply.ts';
import type { ForcedDecision } from './apply-outcome.ts';
import { decideOutcome } from './decide-outcome.ts';
import { showSubject } from './execute.ts';

const maxLength = 78;

/** Runs `execute` once for each PayPal-Request-Id, and answers repeats with the subject of the first request. */
export function* onceForRequestId<N extends JsonOperation>(
  context: AuthenticatedContext,
  handler: WriteHandler<N>,
  input: Input<N>,
  execute: (decided?: ForcedDecision) => Steps<Reply>,
): Steps<Reply> {
  const { exchange, world, transport } = context;
  const requestId = handler.idempotent ? transport.header('paypal-request-id') : undefined;
  if (requestId === undefined) return yield* execute();
  if (requestId === '' || requestId.length > maxLength) {
    return refuse(exchange, {
      kind: 'request-id-invalid',
      reason: `PayPal-Request-Id must have 1 to ${maxLength} characters.`,
    });
  }
  // The path itself is not part of the name: a retry with a trailing slash or in the singular spelling is the same
  // request.
  const key = requestName(exchange.operation ?? '', input.params, requestId);
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
      return yield* answerRepeat(context, handler, claim.subject, execute);
    case 'first':
      try {
        return yield* execute();
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
  subject: string,
  execute: (decided: ForcedDecision) => Steps<Reply>,
): Steps<Reply> {
  const { exchange } = context;
  const decision = decideOutcome(context, 'repeat');
  if (isRefusal(decision)) return refuse(exchange, decision);
  if (decision?.ignoresRequestId === true) return yield* execute(decision);
  context.decision = decision;
  exchange.replayed = true;
  exchange.subject = subject;
  const reply = showSubject(context, handler, subject, handler.repeatStatus ?? handler.status);
  return decision?.reply(exchange) ?? withHeaders(reply, { 'Sandbox-Replayed': 'true' });
}
