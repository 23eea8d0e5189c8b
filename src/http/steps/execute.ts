/** One valid call of an operation, from here to its answer: idempotency, decision, commit, view. */
import type { JsonOperation } from '../../contract/service/operations.ts';
import type { Change } from '../../domain/ports.ts';
import { accept, type Result } from '../../domain/refusals.ts';
import type { Decision, DecisionPoint } from '../../outcomes/decide/decision.ts';
import {
  overridesOf,
  lastWord,
  preventsCommit,
  raceOf,
  unanswered,
  noOverrides,
  type PlanOverrides,
} from './apply-outcome.ts';
import { natural } from './decide-outcome.ts';
import { cardIdOf, intentOf } from '../../journal/purchase-key.ts';
import { isTurned, type Arrival, type Turned, type Visit } from '../context.ts';
import { after, turnedBy, type Hall } from '../pipeline.ts';
import type { Handler, Input, ReadHandler, WriteHandler } from '../operation.ts';
import { outOfDate, upToDate, type Sight } from './stale-reads.ts';
import { emptyReply, jsonReply } from '../reply.ts';
import type { Asked } from './request-facts.ts';
import type { Reply } from '../../transport-port/transport.ts';

export interface Call<N extends JsonOperation> {
  readonly hall: Hall;
  readonly arrival: Arrival;
  readonly operation: N;
  readonly handler: Handler<N>;
  readonly input: Input<N>;
  readonly visit: Visit;
}

type Answer = Response | Promise<Response>;

/** Answers a call. */
export function answerCall<N extends JsonOperation>(call: Call<N>): Answer {
  const { handler } = call;
  return handler.kind === 'read' ? read(call, handler) : write(call, handler);
}

function read<N extends JsonOperation>(call: Call<N>, handler: ReadHandler<N>): Answer {
  const { input, visit, arrival } = call;
  const look = ({ books, view, shift }: Sight) => handler.read(input, books, view, shift);
  const known = look(upToDate(visit));
  // What was not found can still be lost on the way: the wire does not read answers.
  const decision = decideOn(call, known.ok ? 'before-commit' : 'repeat', undefined);
  if (isTurned(decision)) return turn(call, decision);
  const { exchange } = arrival;
  const forced = lastWord(decision, exchange);
  if (forced !== undefined) return leave(call, forced, decision);
  const sight = outOfDate(decision.domain, visit);
  const shown = sight === undefined ? known : look(sight);
  return leave(
    call,
    shown.ok
      ? jsonReply(exchange, 200, shown.value)
      : call.hall.turn(exchange, turnedBy(shown.refusal)),
    decision,
  );
}

function write<N extends JsonOperation>(call: Call<N>, handler: WriteHandler<N>): Answer {
  const { hall, arrival, input, visit, operation } = call;
  const params = paramsOf(input);
  // An intent folds the last four digits, and few enough texts fold to it to find them again.
  arrival.exchange.intent = arrival.secret ? undefined : intentOf(operation, params, input.body);
  arrival.exchange.cardId = cardIdOf(params, input.body);
  const requestId = handler.idempotent ? arrival.transport.header('paypal-request-id') : undefined;
  if (requestId === undefined) return carryOut(call, handler);
  if (requestId === '' || requestId.length > 78) {
    return turn(call, {
      kind: 'request-id-invalid',
      reason: 'PayPal-Request-Id must have 1 to 78 characters.',
    });
  }
  const { requestIds } = visit.world;
  // Not the path itself: a retry that spells it with another slash, or in the singular, is the same request.
  const key = `${operation} ${JSON.stringify(input.params)} ${requestId}`;
  const claim = requestIds.claim(key, hall.fingerprint(input), visit.world.nowMs());
  switch (claim.kind) {
    case 'other-body':
      return turn(call, {
        kind: 'request-id-reused',
        reason:
          'An earlier request to this path with this PayPal-Request-Id had another body. Use one id for one intent.',
      });
    case 'in-progress':
      return turn(call, {
        kind: 'request-in-progress',
        reason: 'The first request with this PayPal-Request-Id has not ended. Repeat in a moment.',
      });
    case 'repeat':
      return repeat(call, handler, claim.subject);
    case 'first':
      return first(call, handler, key);
  }
}

/** Answers a repeat with the first request's subject as it is now. Nothing is done, so only the wire can spoil it. */
function repeat<N extends JsonOperation>(
  call: Call<N>,
  handler: WriteHandler<N>,
  subject: string,
): Answer {
  const decision = decideOn(call, 'repeat', undefined);
  if (isTurned(decision)) return turn(call, decision);
  if (decision.domain?.outcome.effect.kind === 'ignore-request-id') {
    return carryOut(call, handler, nobody, decision);
  }
  call.arrival.exchange.replayed = true;
  call.arrival.exchange.subject = subject;
  const status = handler.repeatStatus ?? handler.status;
  const reply = shownReply(call, status, handler.show(subject, call.visit.view));
  return leave(
    call,
    lastWord(decision, call.arrival.exchange) ?? {
      ...reply,
      headers: { ...reply.headers, 'Sandbox-Replayed': 'true' },
    },
    decision,
  );
}

/** Carries out the first request with an id. What is refused or fails is forgotten (contract.md §6). */
function first<N extends JsonOperation>(
  call: Call<N>,
  handler: WriteHandler<N>,
  key: string,
): Answer {
  const { requestIds } = call.visit.world;
  let open = true;
  const forget = (): void => {
    if (open) requestIds.release(key);
    open = false;
  };
  const failed = (failure: unknown): never => {
    forget();
    throw failure;
  };
  try {
    const answer = carryOut(call, handler, {
      committed: (subject) => {
        open = false;
        requestIds.complete(key, subject);
      },
      refused: forget,
    });
    // After a pause whatever fails comes late.
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (failure) {
    return failed(failure);
  }
}

/** Told how the first request with an id ended. */
interface Claimant {
  readonly committed: (subject: string) => void;
  readonly refused: () => void;
}

const nobody: Claimant = { committed: () => undefined, refused: () => undefined };

/**
 * Plans, decides, commits, shows. Whether an outcome is forced is decided only on a request that is valid, in the
 * same synchronous step as the commit; after a pause both plan and decision are made anew, as the world moved on.
 * `decided` is what was decided on already, for a repeat that is taken for none.
 */
function carryOut<N extends JsonOperation>(
  call: Call<N>,
  handler: WriteHandler<N>,
  claimant: Claimant = nobody,
  decided?: Decision,
): Answer {
  const { hall, arrival } = call;
  const { beforeCommit, afterCommit } = hall.settings.phases;
  const planned = plan(call, handler, noOverrides);
  if (!planned.ok) {
    claimant.refused();
    return turn(call, turnedBy(planned.refusal));
  }
  const pause = beforeCommit?.(arrival.exchange);
  return after(pause, () => {
    if (pause instanceof Promise) call.visit.world.runDueEvents();
    const change = pause instanceof Promise ? plan(call, handler, noOverrides) : planned;
    if (!change.ok) {
      claimant.refused();
      return turn(call, turnedBy(change.refusal));
    }
    const done = commit(call, handler, change.value, claimant, decided);
    return after(done.committed ? afterCommit?.(arrival.exchange) : undefined, () =>
      leave(call, done.reply, done.decision),
    );
  });
}

interface Done {
  readonly reply: Reply;
  readonly decision: Decision;
  readonly committed: boolean;
}

function commit<N extends JsonOperation>(
  call: Call<N>,
  handler: WriteHandler<N>,
  change: Change,
  claimant: Claimant,
  decided: Decision | undefined,
): Done {
  const { hall, arrival, visit } = call;
  const { exchange } = arrival;
  const full = visit.world.checkCapacity(change);
  if (full !== undefined) return refused(claimant, hall.turn(exchange, turnedBy(full)));
  const decision = decided ?? decideOn(call, 'before-commit', change);
  if (isTurned(decision)) return refused(claimant, hall.turn(exchange, decision));
  const race = raceOf(decision.domain, visit.world, exchange);
  const isLate = race?.first === 'deletion';
  // Whoever else deletes the card knows nothing of what befalls this request: it happens in any case.
  if (isLate) visit.world.commit(race.deletion);
  const planned = isLate ? plan(call, handler, noOverrides) : accept(change);
  const done = settle(call, handler, planned, claimant, decision);
  if (race?.first === 'payment') visit.world.commit(race.deletion);
  return done;
}

/** Does what was decided on, and answers. */
function settle<N extends JsonOperation>(
  call: Call<N>,
  handler: WriteHandler<N>,
  planned: Result<Change>,
  claimant: Claimant,
  decision: Decision,
): Done {
  const { hall, arrival, visit } = call;
  const { exchange } = arrival;
  if (preventsCommit(decision.domain) || preventsCommit(decision.transport)) {
    const reply = lastWord(decision, exchange) ?? unanswered(exchange);
    return refused(claimant, reply, decision);
  }
  if (!planned.ok) {
    const reply = hall.turn(exchange, turnedBy(planned.refusal));
    return refused(claimant, lastWord(decision, exchange) ?? reply, decision);
  }
  const bent = bentPlan(call, handler, planned.value, decision);
  visit.world.commit(bent);
  if (decision.domain?.outcome.effect.kind === 'twice') {
    const again = plan(call, handler, noOverrides);
    if (again.ok && visit.world.checkCapacity(again.value) === undefined) {
      visit.world.commit(again.value);
      exchange.twin = again.value.subject;
    }
  }
  exchange.committed = true;
  exchange.subject = bent.subject;
  claimant.committed(bent.subject);
  const reply = shownReply(call, handler.status, handler.show(bent.subject, visit.view));
  return { reply: lastWord(decision, exchange) ?? reply, decision, committed: true };
}

function refused(claimant: Claimant, reply: Reply, decision: Decision = natural): Done {
  claimant.refused();
  return { reply, decision, committed: false };
}

function bentPlan<N extends JsonOperation>(
  call: Call<N>,
  handler: WriteHandler<N>,
  change: Change,
  decision: Decision,
): Change {
  const overrides = overridesOf(decision.domain, call.arrival.exchange);
  if (overrides === noOverrides) return change;
  const bent = plan(call, handler, overrides);
  return bent.ok ? bent.value : change;
}

function plan<N extends JsonOperation>(
  { input, visit }: Call<N>,
  handler: WriteHandler<N>,
  overrides: PlanOverrides,
): Result<Change> {
  return handler.plan(input, visit.world, visit.view, overrides);
}

function decideOn<N extends JsonOperation>(
  call: Call<N>,
  gate: DecisionPoint,
  change: Change | undefined,
): Decision | Turned {
  return call.hall.decide(call.arrival, gate, askedOf(call, change));
}

function askedOf<N extends JsonOperation>(
  { operation, handler, input }: Call<N>,
  change: Change | undefined,
): Asked {
  return {
    operation,
    writes: handler.kind === 'write',
    params: paramsOf(input),
    query: queryOf(input),
    body: input.body,
    change,
  };
}

/** A query's schema is always of an object. */
function queryOf<N extends JsonOperation>(input: Input<N>): object {
  return input.query as object;
}

/** The router's params are strings by name, whatever the declaration calls them. */
function paramsOf<N extends JsonOperation>(input: Input<N>): Readonly<Record<string, string>> {
  return input.params as Readonly<Record<string, string>>;
}

function shownReply<N extends JsonOperation>(
  { hall, arrival }: Call<N>,
  status: number,
  shown: Result<object | null>,
): Reply {
  const { exchange } = arrival;
  if (!shown.ok) return hall.turn(exchange, turnedBy(shown.refusal));
  return shown.value === null
    ? emptyReply(exchange, status)
    : jsonReply(exchange, status, shown.value);
}

function turn<N extends JsonOperation>({ hall, arrival }: Call<N>, turned: Turned): Answer {
  return hall.leave(arrival, hall.turn(arrival.exchange, turned));
}

function leave<N extends JsonOperation>(
  { hall, arrival }: Call<N>,
  reply: Reply,
  decision: Decision,
): Answer {
  return hall.leave(arrival, reply, decision);
}
