/** Orders that were paid again although the sale of the first payment could still be completed, for all that the client knew. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { isAnswerReceived } from '../../../client-knowledge/disclosure.ts';
import { hasSameKey } from '../../../client-knowledge/idempotency-keys.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { gapMs } from '../../../evidence/exchange-order.ts';
import { saleStateIn } from '../../../evidence/exchange-results.ts';
import { nameOtherParts } from '../../../evidence/key-parts.ts';
import { isNamedOrder, isUnnumberedPart } from '../../../evidence/orders/order-names.ts';
import { cardAndAmountOf } from '../../../evidence/request-fields.ts';
import { describePurchase, formatDuration, formatMoney } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import type { Detection } from '../../finding-rule.ts';
import { awaitSale } from '../duplicate-advice.ts';
import { shownPending } from '../explain-duplicate.ts';
import { isShownDenied, wasReadDenied } from './shown-states.ts';

/**
 * A sale that the client was shown as pending, and whose order it paid again without another look, with the same card.
 *
 * The sale was denied later, or is pending to this day: only luck prevented a double charge. Guests who share a bill use
 * other cards, and parts of an order say which part they are.
 */
export function* findPaidWhilePending(
  evidence: Evidence,
  purchase: Purchase,
  charge: Charge,
): Generator<Detection> {
  const { entry, amount } = charge;
  const again = purchase.charges.find(
    (other) => other.retainedMinor > 0 && isRepeatOf(evidence, entry, other.entry),
  );
  if (again === undefined || charge.retainedMinor > 0) return;
  if (shownPending(evidence, entry) === undefined) return;
  if (isShownDenied(evidence, charge) || wasReadDenied(evidence, charge, again.entry)) return;
  if (isRepeatedDenied(evidence, purchase, entry, again.entry)) return;
  yield {
    what: `The first sale of ${describePurchase(purchase)}, of ${formatMoney(amount)}, was pending when the client saw it, and the client paid again ${formatDuration(gapMs(entry, again.entry))} later without having seen a denial. ${describeEnd(evidence, charge)}`,
    evidence: [entry, again.entry],
    purchase,
    severity: 'medium',
    confidence: 'likely',
    remedy: awaitSale,
  };
}

/** Whether the client sent the first request again, with its id, and the answer showed the denial. */
function isRepeatedDenied(
  evidence: Evidence,
  { attempts }: Purchase,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  return attempts.some(
    (entry) =>
      entry.seq < again.seq &&
      hasSameKey(first, entry) &&
      isAnswerReceived(entry) &&
      saleStateIn(evidence.answerOf(entry)) === 'denied',
  );
}

function isRepeatOf(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  return (
    again.seq > first.seq &&
    isNamedOrder(evidence, again) &&
    !isUnnumberedPart(evidence, again) &&
    !nameOtherParts(first, again) &&
    cardAndAmountOf(evidence, first) === cardAndAmountOf(evidence, again)
  );
}

function describeEnd({ pendingCharges }: Evidence, charge: Charge): string {
  if (charge.state !== 'denied') {
    return 'It is still pending. If it is completed, the buyer is charged twice.';
  }
  const end = pendingCharges.has(charge) ? 'is still pending and will be denied' : 'was denied';
  return `It ${end}, so the buyer is charged once: by luck.`;
}
