/** Where a request waits: at a gate of its merchant, and for equal requests that were sent at the same time. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Payment } from '../../domain/records.ts';
import type { GatePoint } from '../../journal/entry.ts';
import { redactOptional, redactText } from '../../redaction/redact.ts';
import type { Steps } from '../../shared/steps.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { headerText } from '../../transport-port/header-text.ts';
import type { Reply } from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';
import type { RequestContext } from '../context.ts';
import { isForcible } from './decide-outcome.ts';
import { findRecord, RequestFacts } from './request-facts.ts';

/** Holds a request if a gate is for it. Returns whether it was held, because the world may have changed meanwhile. */
export function* holdAt(context: RequestContext, at: GatePoint): Steps<boolean> {
  if (context.world?.gates.isOpen !== true || !isForcible(context)) return false;
  const { world, exchange, transport } = context;
  const { debugId, operation, intent } = exchange;
  const pause = world.gates.hold(new RequestFacts(context), at, {
    debugId,
    operation,
    requestId: redactOptional(
      headerText(transport.header('paypal-request-id')),
      world.journal.masking,
    ),
    intent,
    purchase: context.isSecret ? undefined : purchaseOf(context, world),
  });
  if (pause === undefined) return false;
  const stopWatching = transport.onLeave(() => {
    pause.clientLeft = true;
    // Its request goes on, but what the client sends from now on follows this request.
    if (context.entry !== undefined) world.journal.leave(context.entry, world.nowMs());
  });
  yield pause;
  stopWatching();
  if (pause.hold !== undefined) exchange.holds = [...exchange.holds, pause.hold];
  return true;
}

const inBody = {
  invoiceNumber: stepsOf('transactions[0].invoice_number'),
  custom: stepsOf('transactions[0].custom'),
  description: stepsOf('transactions[0].description'),
};

/** The name that the merchant gave to the purchase of a request. */
function purchaseOf(
  { params, content: { body } }: RequestContext,
  world: World,
): string | undefined {
  const sent = [inBody.invoiceNumber, inBody.custom, inBody.description].map((place) =>
    memberAlong(body, place),
  );
  const stored = paymentIn(params, world)?.transaction;
  const names = [...sent, stored?.invoiceNumber, stored?.custom, stored?.description];
  const name = names.find((text) => typeof text === 'string' && text !== '');
  return typeof name === 'string' ? redactText(name, world.journal.masking) : undefined;
}

/** The payment that a path names, or of which it names a part. */
function paymentIn(params: RequestContext['params'], world: World): Payment | undefined {
  const record = findRecord(world, params);
  return record !== undefined && 'paymentId' in record
    ? world.payments.get(record.paymentId)
    : record;
}

const toTransaction = stepsOf('transactions[0]');

/** Operations that move money or delete a card, and name the order or the record that they are for. */
const repeatable: ReadonlySet<OperationName | undefined> = new Set([
  'card.delete',
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
]);

/** An issuer says never to try a card again. A client that pays two sellers at once sends both before it can know. */
const finalDecline = /"advice_code":"(?:03|21)/;

/**
 * Whether another request may have been sent at the same time, so that the verdict must see both as open. It may be an equal
 * one with another request id, or another payment with a card that is declined for good.
 *
 * The service refuses a repeated invoice number. A payment without any name is never reported as one order.
 */
export function mayBeSentBesideOthers(
  { exchange: { committed, operation } }: RequestContext,
  { body }: { readonly body: unknown },
  reply: Reply,
): boolean {
  if (!committed) return operation === 'payment.create' && finalDecline.test(reply.body ?? '');
  if (!repeatable.has(operation)) return false;
  if (operation !== 'payment.create') return memberOf(body, 'invoice_number') === undefined;
  const transaction = memberAlong(body, toTransaction);
  return (
    memberOf(transaction, 'custom') !== undefined &&
    memberOf(transaction, 'invoice_number') === undefined
  );
}
