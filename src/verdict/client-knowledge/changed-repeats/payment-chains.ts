/** Links payments under one name, each of which was sent while the outcome of an earlier one was unknown. */
import type { Payment } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { areCardsStoredInTurn } from '../../evidence/cards.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { createdIds } from '../../evidence/exchange-results.ts';
import { groupBy, groupDiffering } from '../../evidence/group-by.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { orderNameOf } from '../../evidence/orders/order-words.ts';
import { customerIdOf, paymentCardOf } from '../../evidence/records.ts';
import { isNamedOrder } from '../../evidence/orders/order-names.ts';
import { requestedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { firstWithKey, lastWithKey } from '../idempotency-keys.ts';
import { isReaction } from '../reaction.ts';
import { isSentAtOnce } from '../parallel/connections.ts';
import { UnknownOutcomes, wasPending } from '../unknown-outcomes.ts';
import { isAlmostEqual, isSameAmount } from './amounts.ts';

/** Requests of which each was sent while the outcome of an earlier one was unknown. */
export interface Chain {
  readonly name: string;
  readonly links: readonly PaymentRequest[];
  /** Whether no other payment carries the name. */
  readonly hasOwnName: boolean;
}

/** Finds the chains of a journal. */
export function findChains(journal: JournalIndex): Chain[] {
  const entries = journal.of('payment.create');
  // Most payments are answered at once and need no further look.
  if (!entries.some(mayBeUnknown)) return [];
  const byName = groupDiffering(
    requestedPayments(journal),
    ({ payment }) => orderNameOf(payment.transaction),
    paysTheSameWay,
  );
  return [...byName].flatMap(([name, group]) =>
    name === undefined || !group.some(({ entry }) => mayBeUnknown(entry))
      ? []
      : findChainsUnder(journal, name, group),
  );
}

/** Whether two payments are of one card, amount and invoice number. */
function paysTheSameWay(one: PaymentRequest, other: PaymentRequest): boolean {
  return (
    hasSameAmount(one, other) &&
    hasSameInvoiceNumber(one.payment, other.payment) &&
    paymentCardOf(one.payment) === paymentCardOf(other.payment)
  );
}

function findChainsUnder(
  journal: JournalIndex,
  name: string,
  requests: readonly PaymentRequest[],
): Chain[] {
  const count = countPayments(requests);
  const byAmount = groupBy(requests, amountOf);
  const [drifted] =
    byAmount.size > 1 ? linkRepeats(journal, requests, isForOtherAmount(journal)) : [];
  if (drifted !== undefined && countPayments(drifted) === count) {
    return [{ name, links: drifted, hasOwnName: true }];
  }
  return [...byAmount.values()].flatMap((sameAmount) => {
    const [first] = linkRepeats(journal, sameAmount, isOtherwiseEqualWithin(Infinity));
    if (first === undefined) return [];
    const hasOwnName = countPayments(first) === count && !isNameOfTests(journal, sameAmount);
    // A name that other payments share stands for one order only within a short time.
    const chains = hasOwnName
      ? [first]
      : linkRepeats(journal, sameAmount, isOtherwiseEqualWithin(sameIntentWindowMs));
    return chains.map((links) => ({ name, links, hasOwnName }));
  });
}

/** Whether these requests are those of a test suite, whose tests share the name of their order. */
function isNameOfTests(journal: JournalIndex, requests: readonly PaymentRequest[]): boolean {
  return areCardsStoredInTurn(
    journal,
    requests.map(({ entry }) => entry),
  );
}

/** How many payments the requests created. */
function countPayments(requests: readonly PaymentRequest[]): number {
  return requests.reduce((sum, { entry }) => sum + createdIds(entry).length, 0);
}

/** Whether the outcome may have been unknown. A sale whose answer arrived is pending only if an outcome forced it. */
function mayBeUnknown({ committed, concludes, outcomes }: StoredEntry): boolean {
  return committed && (concludes !== 'OK' || outcomes.length > 0);
}

function amountOf({ payment: { transaction } }: PaymentRequest): string {
  const { minor, currency } = transaction.amount;
  return `${minor} ${currency}`;
}

/** Whether two payments are of one amount. */
export function hasSameAmount(one: PaymentRequest, other: PaymentRequest): boolean {
  return isSameAmount(one.payment.transaction.amount, other.payment.transaction.amount);
}

function descriptionOf({ payment }: PaymentRequest): string | undefined {
  return payment.transaction.description;
}

/** Whether a request pays again for what an earlier one with an unknown outcome paid for. */
type IsRepeat = (earlier: PaymentRequest, later: PaymentRequest) => boolean;

function linkRepeats(
  journal: JournalIndex,
  requests: readonly PaymentRequest[],
  isRepeat: IsRepeat,
): PaymentRequest[][] {
  const unknown = new UnknownOutcomes(journal);
  const byEntry = new Map<StoredEntry, PaymentRequest>();
  const chains = new Map<PaymentRequest, PaymentRequest[]>();
  for (const request of requests) {
    const { entry } = request;
    const latest = unknown.latestBefore(entry, isNamedOrder(journal, entry));
    const earlier = latest && byEntry.get(latest);
    if (
      earlier !== undefined &&
      entry.committed &&
      isRepeat(earlier, request) &&
      isReaction(earlier.entry, firstWithKey(journal, entry))
    ) {
      const chain = chains.get(earlier) ?? [earlier];
      if (!isPaidBefore(journal, chain, entry)) {
        chain.push(request);
        chains.set(earlier, chain).set(request, chain);
      }
    }
    unknown.add(entry);
    if (entry.committed) byEntry.set(entry, request);
  }
  return [...new Set(chains.values())];
}

/**
 * Whether a client that had paid again because it knew that a sale was pending was then shown a completed one. It would
 * stop there, so what comes next is for something else.
 */
function isPaidBefore(
  journal: JournalIndex,
  [first, ...repeats]: readonly PaymentRequest[],
  next: StoredEntry,
): boolean {
  return (
    first !== undefined &&
    lastWithKey(journal, first.entry).concludes === 'OK' &&
    repeats.some(
      ({ entry }) =>
        entry.concludes === 'OK' &&
        !wasPending(journal, entry) &&
        isSentAtOnce(journal, entry, next) === false,
    )
  );
}

/** A repeat for the same amount, with another card or another invoice number. */
function isOtherwiseEqualWithin(withinMs: number): IsRepeat {
  return (earlier, later) => {
    const gap = gapMs(earlier.entry, later.entry);
    if (gap > withinMs) return false;
    // A cart of several sellers, or a gift of several buyers, has parts with descriptions of their own.
    if (descriptionOf(earlier) !== descriptionOf(later)) return false;
    const [one, other] = [earlier.payment, later.payment].map(customerIdOf);
    if (one !== undefined && other !== undefined && one !== other) return false;
    // Different invoice numbers name different purchases, unless one follows the other within a short time.
    return hasSameInvoiceNumber(earlier.payment, later.payment)
      ? paymentCardOf(earlier.payment) !== paymentCardOf(later.payment)
      : gap <= sameIntentWindowMs;
  };
}

/**
 * A repeat with the same card for an amount that was calculated again, as after a rate change. It comes within a short time,
 * or names the number of the order and differs little.
 */
function isForOtherAmount(journal: JournalIndex): IsRepeat {
  return (earlier, later) => {
    if (paymentCardOf(earlier.payment) !== paymentCardOf(later.payment)) return false;
    return gapMs(earlier.entry, later.entry) <= sameIntentWindowMs
      ? !hasSameAmount(earlier, later)
      : hasAlmostSameAmount(earlier, later) &&
          descriptionOf(earlier) === descriptionOf(later) &&
          [earlier, later].every(({ entry }) => isNamedOrder(journal, entry));
  };
}

/** Whether a payment differs from an earlier one by a few cents. */
export function hasAlmostSameAmount(earlier: PaymentRequest, later: PaymentRequest): boolean {
  return isAlmostEqual(earlier.payment.transaction.amount, later.payment.transaction.amount);
}

/** Whether two payments have one invoice number, or both have none. */
export function hasSameInvoiceNumber(one: Payment, other: Payment): boolean {
  return one.transaction.invoiceNumber === other.transaction.invoiceNumber;
}
