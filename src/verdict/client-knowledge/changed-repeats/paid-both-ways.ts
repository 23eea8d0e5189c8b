/**
 * Did the client charge an order by a sale, and authorize it as well?
 *
 * A sale needs no authorization. A client that sends both for one order pays it twice, or leaves money on hold.
 */
import type { Payment } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { capturesOfRequest } from '../../evidence/captures.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { invoiceNumberIn, isNamedOrder } from '../../evidence/orders/order-names.ts';
import {
  committedPayments,
  orderContentOf,
  type PaymentRequest,
} from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs, minRedeliveryMs, sameDayWindowMs } from '../../evidence/time-windows.ts';
import { isKnownBefore } from '../disclosure.ts';
import { firstWithKey } from '../idempotency-keys.ts';
import { arePartsInTurn } from '../parts/parts-in-turn.ts';
import { isReplacement } from '../reaction.ts';
import { isReversedBefore } from '../reversal.ts';

/** Two requests of which one charged an order, and the other one authorized it. */
export interface PaidBothWays {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** Whether they may be parts of the order, such as a first night and a deposit, or tests that share a name. */
  readonly mayBeParts: boolean;
}

/** Finds the payments that charged and authorized one order in turn, by one card and under one name. */
export function findPaidBothWays(evidence: Evidence): PaidBothWays[] {
  if (evidence.authorizing.size === 0) return [];
  const paid = committedPayments(evidence);
  if (new Set(paid.map(saleOrAuthorize)).size < 2) return [];
  const byOrder = groupBy(paid, ({ entry }) => {
    const order = orderContentOf(evidence, entry);
    return order && JSON.stringify([order, invoiceNumberIn(evidence, entry)]);
  });
  return [...byOrder].flatMap(([order, payments]) =>
    order === undefined
      ? []
      : pairsOf(payments)
          .filter(([first, again]) => isForOneOrder(evidence, first, again))
          .map(([first, again]) => {
            const mayBeParts =
              arePartsInTurn(evidence, first, again) ||
              (isKnownWhenDecided(evidence, first, again) && areSoon(evidence, first, again));
            return { first, again, mayBeParts };
          }),
  );
}

/** Each payment of an order with the latest one before it that was made in the other way. */
function pairsOf(payments: readonly PaymentRequest[]): (readonly [StoredEntry, StoredEntry])[] {
  const latest = new Map<Payment['intent'], StoredEntry>();
  return payments.flatMap((one) => {
    const way = saleOrAuthorize(one);
    latest.set(way, one.entry);
    const others = [...latest].filter(([other]) => other !== way);
    return others.map(([, first]) => [first, one.entry] as const);
  });
}

function saleOrAuthorize({ payment }: PaymentRequest): Payment['intent'] {
  return payment.intent;
}

/**
 * Whether both requests paid one order: the second came while the first was unknown, or both name the number of the order.
 */
function isForOneOrder(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  const gap = gapMs(first, again);
  if (!isKnownWhenDecided(journal, first, again)) {
    return gap < sameDayWindowMs && isReplacement(journal, first, again);
  }
  return (
    (!areSoon(journal, first, again) || findLastCapture(journal, first, again) !== undefined) &&
    mayBeDeliveredAgain(journal, first, again) &&
    isNamedOrder(journal, first) &&
    !isReversedBefore(journal, first, again)
  );
}

/** Whether a queue may have delivered the order again, after the first request had paid it or its hold was captured. */
function mayBeDeliveredAgain(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  return gapMs(findLastCapture(journal, first) ?? first, again) <= maxRedeliveryMs;
}

/** Whether the client knew of the first payment when it decided on the other one. */
function isKnownWhenDecided(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  return isKnownBefore(journal, first, firstWithKey(journal, again));
}

/** Whether the hold of both was captured within seconds, if at all, and both were sent within seconds. */
function areSoon(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  const capture = findLastCapture(journal, first, again) ?? again;
  return gapMs(first, again) < minRedeliveryMs && capture.atMs - again.atMs < minRedeliveryMs;
}

/** The last capture of what one of both requests authorized. */
function findLastCapture(journal: JournalIndex, ...both: readonly StoredEntry[]) {
  return both
    .flatMap((entry) => capturesOfRequest(journal, entry))
    .findLast(({ committed }) => committed);
}
