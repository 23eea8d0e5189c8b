/** Holds a request at a gate of its merchant, until a test releases it. */
import type { GatePoint } from '../../journal/entry.ts';
import { redactOptional, redactText } from '../../redaction/redact.ts';
import type { Steps } from '../../shared/steps.ts';
import { memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import { headerText } from '../../transport-port/header-text.ts';
import type { World } from '../../world/world.ts';
import type { RequestContext } from '../context.ts';
import { isForcible } from './decide-outcome.ts';
import { RequestFacts } from './request-facts.ts';

/** Holds a request if a gate is for it. Returns whether it was held, because the world may have changed meanwhile. */
export function* holdAt(context: RequestContext, at: GatePoint): Steps<boolean> {
  if (context.world?.gates.isOpen !== true || !isForcible(context)) return false;
  const { world, exchange, transport } = context;
  const { debugId, operation, intent } = exchange;
  const pause = world.gates.hold(new RequestFacts(context), at, {
    debugId,
    operation,
    requestId: redactOptional(headerText(transport.header('paypal-request-id'))),
    intent,
    purchase: context.isSecret ? undefined : purchaseOf(context, world),
  });
  if (pause === undefined) return false;
  const stopWatching = transport.onLeave(() => {
    pause.clientLeft = true;
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
  return typeof name === 'string' ? redactText(name) : undefined;
}

/** The payment that a path names, or of which it names a part. */
function paymentIn(params: RequestContext['params'], world: World) {
  const part =
    world.sales.get(params['sale_id'] ?? '') ??
    world.captures.get(params['capture_id'] ?? '') ??
    world.authorizations.get(params['authorization_id'] ?? '') ??
    world.refunds.get(params['refund_id'] ?? '');
  return world.payments.get(part?.paymentId ?? params['payment_id'] ?? '');
}
