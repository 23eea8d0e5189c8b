/** Writes exchanges into the merchant's journal: what was asked, what was answered, and what of it arrived. */
import { findCardNumbers } from '../../redaction/card-numbers.ts';
import { hasManyDigits } from '../../redaction/digit-runs.ts';
import { bodyFormOf, type BodyForm } from '../../journal/conclusion.ts';
import { none, type Delivery as Arrived, type Sign } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Decision } from '../../outcomes/decide/decision.ts';
import { headerText } from '../../transport-port/header-text.ts';
import {
  isBodiless,
  type Delivery,
  type Reply,
  type Transport,
} from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';
import type { Exchange } from '../exchange.ts';
import type { Arrival } from '../context.ts';

/** Opens an entry for an exchange, where any are kept. */
export function journaled(
  world: World,
  transport: Transport,
  exchange: Exchange,
): StoredEntry | undefined {
  if (world.journal.isOff) return undefined;
  return world.journal.open({
    debugId: exchange.debugId,
    atMs: exchange.atMs,
    method: exchange.method,
    path: transport.target,
    operation: exchange.operation,
    merchant: world.merchant,
    requestId: headerText(transport.header('paypal-request-id')),
    reusedConnection: transport.reusedConnection,
    signs: signsOf(world, transport),
  });
}

/** Only what the journal could not be asked for later: it keeps no headers. */
function signsOf({ journal }: World, transport: Transport): readonly Sign[] {
  let ending: string | undefined;
  let hasType = false;
  let hasBody = false;
  transport.eachHeader((name, value) => {
    if (name === 'content-type') hasType = true;
    else if (name === 'content-length') hasBody = value !== '0';
    else if (name === 'transfer-encoding') hasBody = true;
    else if (name !== 'authorization') ending ??= endOfCardNumber(value, journal);
  });
  const signs: readonly Sign[] = ending === undefined ? none : [`card-number-in-header:${ending}`];
  return hasType || !hasBody ? signs : [...signs, 'content-type-missing'];
}

/** Last four digits of a card number that stands by itself: what is part of a longer word may be a random id. */
function endOfCardNumber(text: string, journal: Journal): string | undefined {
  if (!hasManyDigits(text)) return undefined;
  return findCardNumbers(text).find(
    ({ start, end }) =>
      !/[\w-]/.test(text.charAt(start - 1)) &&
      !/[\w-]/.test(text.charAt(end)) &&
      journal.mayShow(text.slice(start, end)),
  )?.shown;
}

/** Writes the answer down before its first byte leaves, and what arrived of it once that is known. */
export function writeDown(arrival: Arrival, reply: Reply, decision: Decision): void {
  const { entry, world, exchange, transport } = arrival;
  if (world === undefined) return;
  const { journal } = world;
  const { body: request } = arrival;
  // The text may hold a card number: from here on only its redacted form is kept.
  arrival.body = undefined;
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
    nearMisses: exchange.nearMisses,
    warnings: exchange.warnings,
    request,
    response: isBodiless(transport) ? undefined : (reply.body ?? undefined),
  });
  const untouched = decision.transport === undefined && decision.dialects.length === 0;
  transport.onDelivery((delivery) => {
    const form = untouched ? ownForm(reply) : formOf(transport, reply, delivery);
    journal.close(entry, world.nowMs(), stateOf(delivery), form);
  });
}

function ownForm({ body }: Reply): BodyForm {
  return body === null ? 'none' : 'json';
}

/** A head promises the body that it leaves without: there is none to be spoilt. */
function formOf(transport: Transport, reply: Reply, { body, encoded }: Delivery): BodyForm {
  if (isBodiless(transport)) return bodyFormOf(reply.body);
  return encoded ? 'broken' : bodyFormOf(body);
}

function stateOf({ whole, bytesTotal, bytesDelivered, clientLeft }: Delivery): Arrived {
  const state = whole ? 'delivered' : bytesDelivered > 0 ? 'cut' : 'lost';
  return { state, bytesTotal, bytesDelivered, clientLeft };
}
