import type { OperationName } from '../../../contract/service/operation-name.ts';
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { isAnswerReceived, shownIdsIn } from '../../client-knowledge/disclosure.ts';
import {
  describeFailedLookups,
  failedLookupsAfter,
  lookAgainLater,
} from '../../client-knowledge/reads/failed-lookups.ts';
import { moneyArrivedMs, wasPending } from '../../client-knowledge/unknown-outcomes.ts';
import { deletionsOf } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { indexAfter } from '../../evidence/exchange-order.ts';
import { orderNamesIn } from '../../evidence/orders/order-names.ts';
import { describePurchase, formatDuration, formatMoney } from '../../phrases.ts';
import type { Charge } from '../../purchases/charge.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { shownPending } from './explain-duplicate.ts';
import { findPaidWhilePending } from './sale-not-checked/paid-while-pending.ts';
import { isShownDenied, saleReads, wasReadDenied } from './sale-not-checked/shown-states.ts';

const checkState =
  'Check the state of the sale in the answer, also after a 201: only `completed` means paid. Ask again while it is pending.';

const readAgain = 'Read a pending sale again until it is completed or denied.';

/**
 * Finds clients that treated a pending or denied sale as paid: they refunded it or deleted its card. And clients that treated
 * a pending sale as failed, and paid its order again.
 */
export const saleNotChecked: FindingRule = {
  id: 'sale-not-checked',
  severity: 'high',
  about:
    'The client treated a payment as paid although its sale holds no money, or as failed while its sale was pending.',
  remedy: checkState,
  find: findUncheckedSales,
};

const refunds: ReadonlySet<OperationName> = new Set(['sale.refund']);

function* findUncheckedSales(evidence: Evidence): Generator<Detection> {
  const doubtful = evidence.charges.filter((charge) => isDoubtful(evidence, charge));
  if (doubtful.length === 0) return;
  const doubtfulRequests = new Set(doubtful.map(({ entry }) => entry));
  for (const purchase of evidence.purchases) {
    if (!purchase.attempts.some((entry) => doubtfulRequests.has(entry))) continue;
    const [charge, ...others] = purchase.charges;
    if (charge === undefined || !isDoubtful(evidence, charge)) continue;
    const [paidAgain] = findPaidWhilePending(evidence, purchase, charge);
    if (paidAgain !== undefined) yield paidAgain;
    if (paidAgain !== undefined || others.some(({ retainedMinor }) => retainedMinor > 0)) continue;
    if (!isUnsettled(evidence, charge)) {
      yield* findCompletedUnseen(evidence, purchase, charge);
      continue;
    }
    if (wasRead(evidence, charge)) {
      yield* findAskedTooEarly(evidence, purchase, charge);
      continue;
    }
    const followUp = findFollowUp(evidence, charge);
    if (followUp === undefined) yield* findNeverAsked(evidence, purchase, charge);
    else yield* findTreatedAsPaid(evidence, purchase, charge, followUp);
  }
}

function isUnsettled({ pendingCharges }: Evidence, charge: Charge): boolean {
  return charge.state === 'pending' || charge.state === 'denied' || pendingCharges.has(charge);
}

/** Whether a sale holds no money, or was pending at first. */
function isDoubtful(evidence: Evidence, charge: Charge): boolean {
  const isCompletedLate = charge.state === 'completed' && wasPending(evidence, charge.entry);
  return isCompletedLate || isUnsettled(evidence, charge);
}

/** The first answer that showed the client a sale: its own, a repeat of it, a read or a list. Without one, its request. */
function firstShown({ entry, disclosedBy }: Charge): StoredEntry {
  return disclosedBy?.entry ?? entry;
}

/** Whether the client read a sale or its payment again after it had first seen it, or received a list that shows it. */
function wasRead(evidence: Evidence, charge: Charge): boolean {
  const { id, paymentId } = charge;
  const { seq } = firstShown(charge);
  const isLater = (read: StoredEntry): boolean => read.seq > seq && isAnswerReceived(read);
  const list = lastListOf(evidence).get(id);
  return (
    [id, paymentId].some((record) => evidence.about(record, saleReads).some(isLater)) ||
    (list !== undefined && list.seq > seq)
  );
}

/**
 * The first request that a client sends once it takes a sale for paid: a refund, or the end of its card. One that it sent
 * before it saw the sale tells nothing.
 */
function findFollowUp(evidence: Evidence, charge: Charge): StoredEntry | undefined {
  const { id, cardId = '' } = charge;
  const { seq } = firstShown(charge);
  const nextOf = (entries: readonly StoredEntry[]) => entries[indexAfter(entries, seq)];
  return nextOf(evidence.about(id, refunds)) ?? nextOf(deletionsOf(evidence, cardId));
}

/** A sale that holds no money, although the client refunded it or deleted its card. */
function* findTreatedAsPaid(
  evidence: Evidence,
  purchase: Purchase,
  charge: Charge,
  followUp: StoredEntry,
): Generator<Detection> {
  const found = { evidence: [charge.entry, followUp], purchase, confidence: 'possible' } as const;
  const deletedCard = followUp.operation === 'card.delete';
  // A client that has noticed the denial tries again, or reports the order as not paid.
  if (deletedCard && hasNoticed(evidence, purchase, charge)) return;
  const isBelievedPaid =
    evidence.beliefs.ofPurchase(evidence, purchase) === 'paid' && !isNameOfPaid(evidence, purchase);
  // A client that sees the denial may delete the card for that reason.
  if (deletedCard && !isBelievedPaid && isShownDenied(evidence, charge)) {
    yield {
      ...found,
      what: `The sale of ${describePurchase(purchase)} was denied in its answer, and the client then deleted the card. That is wrong only if it took the 201 for a payment.`,
      severity: 'low',
      remedy: `${checkState} To be certain, pass to the verdict what your code believes of the order (beliefs).`,
    };
    return;
  }
  yield {
    ...found,
    what: `The sale of ${describePurchase(purchase)} is ${evidence.pendingCharges.has(charge) ? 'pending' : charge.state}, but the client acted as if it were paid: it ${deletedCard ? 'deleted the card' : 'refunded the sale'}.`,
  };
}

/**
 * Whether the merchant keeps money of another purchase with the same name. A belief by that name may be about it, as about
 * the latest month of a plan.
 */
function isNameOfPaid(evidence: Evidence, purchase: Purchase): boolean {
  const paid = paidNames(evidence);
  return namesOf(evidence, purchase).some((name) => paid.has(name));
}

const paidNames = memoize((evidence: Evidence): ReadonlySet<string> => {
  const paid = evidence.purchases.filter(({ charges }) =>
    charges.some(({ retainedMinor }) => retainedMinor > 0),
  );
  return new Set(paid.flatMap((purchase) => namesOf(evidence, purchase)));
});

function namesOf(evidence: Evidence, { attempts }: Purchase): string[] {
  return attempts.flatMap((entry) => {
    const { invoiceNumber, custom } = orderNamesIn(evidence, entry);
    return [invoiceNumber, custom].filter((name) => name !== undefined);
  });
}

/** Whether the client tried again after a payment, or says that it is not paid. */
function hasNoticed(evidence: Evidence, purchase: Purchase, charge: Charge): boolean {
  const belief = evidence.beliefs.ofPurchase(evidence, purchase);
  const shown = firstShown(charge);
  return (
    purchase.attempts.some(({ seq }) => seq > shown.seq) ||
    belief === 'not-paid' ||
    belief === 'unknown'
  );
}

/** A sale that was denied after the client had last read it, as pending. */
function* findAskedTooEarly(
  evidence: Evidence,
  purchase: Purchase,
  charge: Charge,
): Generator<Detection> {
  const { entry, state } = charge;
  if (state !== 'denied' || evidence.pendingCharges.has(charge)) return;
  if (isShownDenied(evidence, charge)) return;
  if (charge.disclosedBy === undefined || hasNoticed(evidence, purchase, charge)) return;
  if (wasReadDenied(evidence, charge)) return;
  yield {
    what: `The sale of ${describePurchase(purchase)} was pending when the client last read it, and was denied later. The client never asked again.`,
    evidence: [entry],
    purchase,
    // It may still ask again.
    severity: 'low',
    confidence: 'possible',
    remedy: readAgain,
  };
}

/**
 * A sale that was completed after the client had last seen it, as pending. The client went on for a day or more, and did
 * not ask again. Its code may not know that the order is paid.
 */
function* findCompletedUnseen(
  evidence: Evidence,
  purchase: Purchase,
  charge: Charge,
): Generator<Detection> {
  const { id, paymentId, amount, entry } = charge;
  if (shownPending(evidence, entry) === undefined || hasNoticed(evidence, purchase, charge)) return;
  if (evidence.beliefs.ofPurchase(evidence, purchase) === 'paid') return;
  const completedAtMs = moneyArrivedMs(evidence, entry);
  const looks = [evidence.about(id, saleReads), evidence.about(paymentId, saleReads)];
  const hasAsked = [...looks, evidence.of('payment.list')].some(
    (entries) => (entries.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= completedAtMs,
  );
  const last = evidence.entries.at(-1) ?? entry;
  if (hasAsked || last.atMs < completedAtMs + dayMs) return;
  yield {
    what: `The sale of ${describePurchase(purchase)} was pending when the client last saw it, and ${formatMoney(amount)} was charged later. The client never asked again, although it sent other requests for ${formatDuration(last.atMs - completedAtMs)} after that.`,
    evidence: [entry],
    purchase,
    severity: 'low',
    confidence: 'possible',
    remedy: readAgain,
  };
}

/** A sale that was pending when the client first saw it and was denied, or will be, while the client never asked again. */
function* findNeverAsked(
  evidence: Evidence,
  purchase: Purchase,
  charge: Charge,
): Generator<Detection> {
  const { entry, state, disclosedBy } = charge;
  if (state !== 'denied' || disclosedBy === undefined) return;
  if (isShownDenied(evidence, charge) || hasNoticed(evidence, purchase, charge)) return;
  const isPending = evidence.pendingCharges.has(charge);
  const lookups = failedLookupsAfter(evidence, 'payment.create', entry);
  const end =
    lookups.count === 0
      ? 'The client never asked what became of it.'
      : describeFailedLookups(lookups);
  // Until it is denied, or until the service answers again, the client may still ask.
  const severity = lookups.wentOnToTheEnd ? 'low' : isPending ? 'medium' : undefined;
  yield {
    what: `The sale of ${describePurchase(purchase)} was pending when ${disclosedBy.how === 'answer' ? 'it was answered' : 'the client first saw it'}, and ${isPending ? 'is still pending; it will be denied' : 'was denied later'}. ${end}`,
    evidence: [entry],
    purchase,
    severity,
    confidence: severity === undefined ? 'likely' : 'possible',
    remedy: lookups.wentOnToTheEnd ? lookAgainLater : readAgain,
  };
}

/** The last payment list that showed the client each id. */
const lastListOf = memoize((evidence: Evidence): ReadonlyMap<string, StoredEntry> => {
  const last = new Map<string, StoredEntry>();
  for (const list of evidence.of('payment.list')) {
    if (isAnswerReceived(list)) for (const id of shownIdsIn(list)) last.set(id, list);
  }
  return last;
});
