/** Writes exchanges into the merchant's journal: what was asked, what was answered, and what of it arrived. */
import { bodyFormOf, type BodyForm } from '../journal/conclusion.ts';
import type { Entry } from '../journal/entry.ts';
import type { Decision } from '../outcomes/decision.ts';
import type { Delivery, Reply, Wire } from '../wire/wire.ts';
import type { World } from '../world/world.ts';
import type { Exchange } from './exchange.ts';
import type { Arrival } from './hall.ts';

/** Opens an entry for an exchange. */
export function journaled(world: World, wire: Wire, exchange: Exchange): Entry {
  return world.journal.open({
    debugId: exchange.debugId,
    atMs: exchange.atMs,
    method: exchange.method,
    path: wire.target,
    operation: exchange.operation,
    merchant: world.merchant,
    requestId: wire.header('paypal-request-id'),
  });
}

/** Writes the answer down before its first byte leaves, and what arrived of it once that is known. */
export function writeDown(arrival: Arrival, reply: Reply, decision: Decision): void {
  const { entry, world, exchange, wire } = arrival;
  if (entry === undefined || world === undefined) return;
  const { journal } = world;
  journal.answer(entry, {
    status: exchange.status,
    problem: exchange.problem,
    reason: exchange.reason,
    replayed: exchange.replayed,
    committed: exchange.committed,
    intent: exchange.intent,
    cardId: exchange.cardId,
    subject: exchange.subject,
    outcomes: exchange.outcomes,
    nearMisses: exchange.nearMisses,
    request: arrival.body,
    response: reply.body ?? undefined,
  });
  // The text may hold a card number: from here on only its redacted form is kept.
  arrival.body = undefined;
  const untouched = decision.wire === undefined && decision.dialects.length === 0;
  wire.onDelivery((delivery) => {
    journal.close(entry, stateOf(delivery), untouched ? ownForm(reply) : bodyFormOf(delivery.body));
  });
}

function ownForm({ body }: Reply): BodyForm {
  return body === null ? 'none' : 'json';
}

function stateOf({ whole, bytesTotal, bytesDelivered, clientLeft }: Delivery): Entry['delivery'] {
  const state = whole ? 'delivered' : bytesDelivered > 0 ? 'cut' : 'lost';
  return { state, bytesTotal, bytesDelivered, clientLeft };
}
