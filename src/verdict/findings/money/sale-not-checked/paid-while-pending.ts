/** Orders that were paid again although the sale of the first payment could still be completed, for all that the client knew. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { memoize } from '../../../../shared/memoize.ts';
import { findNamedInOtherWords } from '../../../client-knowledge/changed-repeats/other-words.ts';
import { isAnswerReceived } from '../../../client-knowledge/disclosure.ts';
import { hasSameKey } from '../../../client-knowledge/idempotency-keys.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { gapMs } from '../../../evidence/exchange-order.ts';
import { saleStateIn } from '../../../evidence/exchange-results.ts';
import { nameOtherParts } from '../../../evidence/key-parts.ts';
import { isNamedOrder, isUnnumberedPart } from '../../../evidence/orders/order-names.ts';
import { describePurchase, formatDuration, formatMoney } from '../../../phrases.ts';
import { groupByCardAndAmount } from '../../../purchases/card-copies.ts';
import type { Charge } from '../../../purchases/charge.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import type { Detection } from '../../finding-rule.ts';
import { awaitSale } from '../duplicate-advice.ts';
import { shownPending } from '../explain-duplicate.ts';
import { isShownDenied, wasReadDenied } from './shown-states.ts';

/**
 * A sale that the client was shown as pending, and whose order it paid again without another look, with the same card.
 *
 * One of the two sales was denied later, or is pending to this day: only luck prevented a double charge. Guests who share a
 * bill use other cards, and parts of an order say which part they are.
 */
export function* findPaidWhilePending(
  evidence: Evidence,
  purchase: Purchase,
  charge: Charge,
): Generator<Detection> {
  const { entry, amount } = charge;
  if (shownPending(evidence, entry) === undefined) return;
  const repeat = findRepeat(evidence, purchase, charge);
  if (repeat === undefined || [charge, repeat].every(({ retainedMinor }) => retainedMinor > 0))
    return;
  const { entry: again } = repeat;
  if (isShownDenied(evidence, charge) || wasReadDenied(evidence, charge, again)) return;
  if (isRepeatedDenied(evidence, purchase, entry, again)) return;
  yield {
    what: `The first sale of ${describePurchase(purchase)}, of ${formatMoney(amount)}, was pending when the client saw it, and the client paid again ${formatDuration(gapMs(entry, again))} later without having seen a denial. ${describeEnds(evidence, charge, repeat)}`,
    evidence: [entry, again],
    purchase,
    severity: 'medium',
    confidence: 'likely',
    remedy: awaitSale,
  };
}

/** The charge of a later payment for the same order, if it holds money or may still do so. */
function findRepeat(evidence: Evidence, purchase: Purchase, first: Charge): Charge | undefined {
  const repeat = purchase.charges.find(
    (other) => mayHoldMoney(evidence, other) && isRepeatOf(evidence, first.entry, other.entry),
  );
  if (repeat !== undefined) return repeat;
  const again = paidInOtherWords(evidence).get(first.entry);
  return (
    again &&
    evidence.purchaseLookup
      .byRequest(again)
      ?.charges.find((other) => other.entry === again && mayHoldMoney(evidence, other))
  );
}

/** Payments that name an order in other words, by the payment before them. */
const paidInOtherWords = memoize(
  (evidence: Evidence): ReadonlyMap<StoredEntry, StoredEntry> =>
    new Map(
      findNamedInOtherWords(evidence)
        .filter(({ mayBeTwo }) => !mayBeTwo)
        .map(({ first, again }) => [first, again]),
    ),
);

/** Whether a charge holds money, or was pending when the verdict was asked for. */
function mayHoldMoney({ pendingCharges }: Evidence, charge: Charge): boolean {
  return charge.retainedMinor > 0 || charge.state === 'pending' || pendingCharges.has(charge);
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
    groupByCardAndAmount(evidence, [first, again]).length === 1
  );
}

/** What became of both sales, as sentences. */
function describeEnds(evidence: Evidence, first: Charge, repeat: Charge): string {
  const ends = `It ${endOf(evidence, first)}, and the second ${endOf(evidence, repeat)}.`;
  return [first, repeat].some(({ state }) => state === 'denied')
    ? `${ends} So the buyer is not charged twice: by luck.`
    : `${ends} If both are completed, the buyer is charged twice.`;
}

function endOf({ pendingCharges }: Evidence, charge: Charge): string {
  const { state } = charge;
  if (state === 'pending') return 'is still pending';
  const end = state === 'denied' ? 'denied' : 'completed';
  return pendingCharges.has(charge) ? `is still pending and will be ${end}` : `was ${end}`;
}
