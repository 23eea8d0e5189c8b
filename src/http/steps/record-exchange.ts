/** Wraps the steps of a request. Even if they fail, the journal is written and the client receives an answer. */
import { bodyFormOf, type BodyForm } from '../../journal/conclusion.ts';
import {
  emptyList,
  type Delivery as DeliveryState,
  type Opening,
  type Sign,
} from '../../journal/entry.ts';
import { cardMarkOf } from '../../journal/card-mark.ts';
import type { Journal } from '../../journal/journal.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { keepLongIds } from '../../outcomes/effects/dialects.ts';
import { longIdsIn, mayContainLongId } from '../../outcomes/effects/long-id-dialect.ts';
import { findCardNumbers } from '../../redaction/card-numbers.ts';
import { hasManyDigits } from '../../redaction/digit-runs.ts';
import { wait, type Steps } from '../../shared/steps.ts';
import { headerText } from '../../transport-port/header-text.ts';
import {
  isBodiless,
  type Delivery,
  type Reply,
  type Transport,
} from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';
import type { RequestContext } from '../context.ts';
import { refuse, withHeaders } from '../reply.ts';
import type { Exchange } from '../exchange.ts';

/** Runs the steps of a request, writes its journal entry, and sends its reply. An exception becomes a 500. */
export function* recordExchange(context: RequestContext, steps: Steps<Reply>): Steps<Response> {
  const { exchange } = context;
  context.entry = openEntry(context);
  try {
    const reply = yield* steps;
    return yield* wait(respond(context, reply));
  } catch (failure) {
    exchange.failure = failure;
    context.decision = undefined;
    const reply = refuse(exchange, {
      kind: 'internal-error',
      reason: 'Internal error in the sandbox or in one of your hooks.',
    });
    return yield* wait(respond(context, reply));
  }
}

/** Opens a journal entry, if the merchant's journal keeps any. */
function openEntry({
  world,
  transport,
  exchange,
  bearer,
}: RequestContext): StoredEntry | undefined {
  if (world === undefined || world.journal.isOff) return undefined;
  const opening: Opening = {
    debugId: exchange.debugId,
    atMs: exchange.atMs,
    method: exchange.method,
    path: transport.target,
    operation: exchange.operation,
    merchant: world.merchant,
    requestId: headerText(transport.header('paypal-request-id')),
    reusedConnection: transport.reusedConnection,
    signs: findSigns(world.journal, transport),
  };
  const entry = world.journal.open(opening, transport.arrival);
  if (typeof bearer !== 'string') entry.tokenMark = bearer.mark;
  return entry;
}

/** Signs of mistakes in headers. They are recorded separately, because the journal keeps no headers. */
function findSigns(journal: Journal, transport: Transport): readonly Sign[] {
  let lastDigits: string | undefined;
  let hasType = false;
  let hasBody = false;
  transport.eachHeader((name, value) => {
    if (name === 'content-type') hasType = true;
    else if (name === 'content-length') hasBody = value !== '0';
    else if (name === 'transfer-encoding') hasBody = true;
    else if (name !== 'authorization') lastDigits ??= findCardNumber(value, journal);
  });
  const signs: readonly Sign[] =
    lastDigits === undefined ? emptyList : [`card-number-in-header:${lastDigits}`];
  return hasType || !hasBody ? signs : [...signs, 'content-type-missing'];
}

/** The last four digits of a card number that no other digit or letter touches: a random id may hold one by chance. */
function findCardNumber(text: string, journal: Journal): string | undefined {
  if (!hasManyDigits(text)) return undefined;
  return findCardNumbers(text).find(
    ({ start, end }) =>
      !/[a-z\d]/i.test(text.charAt(start - 1)) &&
      !/[a-z\d]/i.test(text.charAt(end)) &&
      journal.mayShow(text.slice(start, end)),
  )?.shown;
}

/** Completes a reply, writes it to the journal, and sends it as the decision requires. */
function respond(context: RequestContext, reply: Reply): Response | Promise<Response> {
  const { transport, decision } = context;
  const completed = withLongIds(context, completeReply(context, reply));
  writeEntry(context, completed);
  const response =
    decision === undefined ? transport.send(completed) : decision.deliver(completed, context);
  notifyListener(context);
  countAnswer(context, response);
  return response;
}

/** Adds headers for warnings and forced outcomes, and rewrites the reply in the forced dialects. */
function completeReply({ exchange, decision }: RequestContext, reply: Reply): Reply {
  const warned = exchange.warnings.length === 0 ? reply : withWarnings(reply, exchange);
  if (decision === undefined && !exchange.headerCannotApply) return warned;
  const outcomes = decision?.outcomes ?? emptyList;
  exchange.outcomes = outcomes.map(({ outcome, by, rule }) => ({ id: outcome.id, by, rule }));
  const texts = outcomes.map(({ outcome, by }) => `${outcome.id}; by=${by}`);
  if (exchange.headerCannotApply) texts.push('not-forced; by=header');
  const marked = withHeaders(warned, { 'Sandbox-Outcome': texts.join(', ') });
  return decision === undefined ? marked : decision.rewrite(marked, exchange);
}

/** Writes ids in the longer form in which an earlier answer has shown them, and notes those that are new. */
function withLongIds({ world }: RequestContext, reply: Reply): Reply {
  const { body } = reply;
  if (world === undefined || body === null) return reply;
  if (mayContainLongId(body)) for (const id of longIdsIn(body)) world.longIds.add(id);
  if (world.longIds.size === 0 || reply.headers['Content-Type'] !== 'application/json')
    return reply;
  return { ...reply, body: keepLongIds(body, world.longIds) };
}

/** A warning contains nothing that the client sent. */
function withWarnings(reply: Reply, { warnings }: Exchange): Reply {
  const texts = warnings.map(({ kind, text }) => `${kind}; text="${text}"`);
  return withHeaders(reply, { 'Sandbox-Warning': texts.join(', ') });
}

/** Writes the reply to the journal before its first byte is sent. The delivery is added when it is known. */
function writeEntry(context: RequestContext, reply: Reply): void {
  const { world, exchange, transport, decision, entry } = context;
  if (world === undefined) return;
  const { journal } = world;
  const request = context.isSecret ? undefined : context.body?.journalText;
  if (entry !== undefined && request !== undefined) {
    entry.cardMark ??= cardMarkOf(world.merchant, exchange.operation, context.body?.uncheckedValue);
  }
  // The body may hold a card number: from here on only its redacted form is kept.
  context.body = undefined;
  context.content = {};
  if (entry === undefined) {
    journal.countUnrecorded(exchange.atMs, exchange.operation, exchange.outcomes);
    return;
  }
  journal.answer(entry, {
    status: exchange.status,
    problem: exchange.problem,
    reason: exchange.reason,
    replayed: exchange.replayed,
    committed: exchange.committed,
    intent: exchange.intent,
    cardId: exchange.cardId,
    subject: exchange.subject,
    twin: exchange.twin,
    retryAfter: reply.headers['Retry-After'],
    outcomes: exchange.outcomes,
    holds: exchange.holds,
    nearMisses: exchange.nearMisses,
    warnings: exchange.warnings,
    request,
    response: isBodiless(transport) ? undefined : (reply.body ?? undefined),
  });
  closeOnDelivery(world, entry, transport, reply, decision?.changesBody === true);
}

function closeOnDelivery(
  world: World,
  entry: StoredEntry,
  transport: Transport,
  reply: Reply,
  mayChange: boolean,
): void {
  transport.onDelivery((delivery) => {
    const form = mayChange ? deliveredForm(transport, reply, delivery) : replyForm(reply);
    world.journal.close(entry, world.nowMs(), deliveryState(delivery), form);
  });
}

/** The form of a reply that was sent unchanged. */
function replyForm({ body }: Reply): BodyForm {
  return body === null ? 'none' : 'json';
}

/** An answer to HEAD is sent without a body, so no fault can damage one. */
function deliveredForm(transport: Transport, reply: Reply, { body, encoded }: Delivery): BodyForm {
  if (isBodiless(transport)) return bodyFormOf(reply.body);
  return encoded ? 'broken' : bodyFormOf(body);
}

function deliveryState({ whole, bytesTotal, bytesDelivered, clientLeft }: Delivery): DeliveryState {
  const state = whole ? 'delivered' : bytesDelivered > 0 ? 'cut' : 'lost';
  return { state, bytesTotal, bytesDelivered, clientLeft };
}

/** Calls the listener. An exception in it is no error of the request. */
function notifyListener({ exchange, service }: RequestContext): void {
  try {
    service.onExchange?.(exchange);
  } catch (failure) {
    queueMicrotask(() => {
      throw failure;
    });
  }
}

/** Counts an answer when it is sent. A reply that fails is replaced by a 500, which is counted instead. */
function countAnswer(
  { exchange, service, startedMs }: RequestContext,
  response: Response | Promise<Response>,
): void {
  const count = (): void => {
    service.traffic.end(exchange, startedMs);
  };
  if (response instanceof Promise) response.then(count, () => undefined);
  else count();
}
