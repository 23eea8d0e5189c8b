/** Groups requests to pay into purchases, by what the buyer wanted. */
import { isSameMonth } from '../../domain/calendar.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { findRepeatPurchases } from '../client-knowledge/changed-repeats/repeat-purchase.ts';
import { lastWithKey } from '../client-knowledge/idempotency-keys.ts';
import { arePartsInTurn } from '../client-knowledge/parts/parts-in-turn.ts';
import { GroupedUnknownOutcomes } from '../client-knowledge/unknown-outcomes.ts';
import { isCapturedAfter, isCapturedLaterBy } from '../evidence/captures.ts';
import { isCardStoredBetween } from '../evidence/cards.ts';
import { bySeq, gapMs } from '../evidence/exchange-order.ts';
import { hasCreated, hasUnknownOutcome } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import {
  hasInvoiceNumber,
  hasOrderName,
  isMonthOfPlan,
  isNamedOrder,
  orderNamesIn,
} from '../evidence/orders/order-names.ts';
import { hasSameBody, orderDetailsOf, paymentsByIntent } from '../evidence/request-content.ts';
import { cardAndAmountOf, payerOf } from '../evidence/request-fields.ts';
import { maxRedeliveryMs } from '../evidence/time-windows.ts';
import { groupByCardAndAmount } from './card-copies.ts';
import type { Charges } from './charge.ts';
import { Purchase } from './purchase.ts';
import { splitIntoSeries, type Series } from './series.ts';

/** Groups all requests to pay of a journal into purchases, in the order of their first requests. */
export function groupPurchases(journal: JournalIndex, charges: Charges): readonly Purchase[] {
  const unknown = new GroupedUnknownOutcomes(journal, (entry) => cardAndAmountOf(journal, entry));
  const all = splitIntoSeries(groupByOrderDetails(journal), (before, entry) => {
    if (hasInvoiceNumber(journal, entry)) return true;
    // `custom` may name one order, or be the same for everything a buyer pays each month. It names one order if the
    // client pays again while it cannot know that it has paid.
    return (
      hasOrderName(journal, entry) &&
      (unknown.hasUnknownBefore(before, entry) ||
        isRepeatPayment(journal, entry) ||
        isSentAgain(journal, before, entry))
    );
  });
  return all
    .flatMap((series) =>
      isForSeveral(journal, series) ? splitByCardAndAmount(journal, charges, series) : [series],
    )
    .map((series) => new Purchase(journal, charges, series));
}

/**
 * Groups requests to pay by their intent and, without an invoice number, by all else that the merchant says to tell
 * purchases apart. Bodies are read only where intents repeat.
 */
function* groupByOrderDetails(
  journal: JournalIndex,
): Generator<readonly [key: string, requests: readonly StoredEntry[]]> {
  for (const [intent, entries] of paymentsByIntent(journal)) {
    const [first] = entries;
    if (intent === undefined || first === undefined) continue;
    if (entries.every((entry) => hasSameBody(entry, first)) || hasInvoiceNumber(journal, first)) {
      yield [intent, entries];
      continue;
    }
    const byDetails = groupBy(entries, (entry) => orderDetailsOf(journal, entry)).values();
    const purchases = [...byDetails].flatMap((alike) => splitByPayer(journal, alike));
    for (const [at, alike] of purchases.entries()) {
      yield [at === 0 ? intent : `${intent}~${at}`, alike];
    }
  }
}

/**
 * Splits requests by who pays: the customer, or the holder of a raw card. Tests give all guests the same number. A request
 * that says less of its payer stays with the one before it, because a retry may leave a name out.
 */
function splitByPayer(
  journal: JournalIndex,
  entries: readonly StoredEntry[],
): (readonly StoredEntry[])[] {
  let latest: readonly string[] = [];
  const byPayer = groupBy(entries, (entry) => {
    const payer = payerOf(journal, entry);
    if (!isPartOf(payer, latest)) latest = payer;
    return JSON.stringify(latest);
  });
  return [...byPayer.values()];
}

/** Whether a payer is described in the same words as another one, as far as both are. */
function isPartOf(payer: readonly string[], other: readonly string[]): boolean {
  return other.length > 0 && payer.every((text, at) => text === '' || text === other[at]);
}

/** Whether a series has different requests that have a `custom` in common, but no invoice number. */
function isForSeveral(journal: JournalIndex, { entries }: Series): boolean {
  const [first] = entries;
  if (first === undefined || entries.every((entry) => hasSameBody(entry, first))) return false;
  const { invoiceNumber, custom } = orderNamesIn(journal, first);
  return invoiceNumber === undefined && custom !== undefined;
}

/**
 * Splits a series into one purchase for each card and amount that was paid.
 *
 * Some shops write one word into the `custom` of every purchase. Attempts that failed belong to the next purchase that
 * was paid, because a buyer whose card is declined tries another one.
 */
function splitByCardAndAmount(journal: JournalIndex, charges: Charges, series: Series): Series[] {
  const { key, entries } = series;
  const groups = groupByCardAndAmount(journal, entries).map((group) => ({
    group,
    isPaid: group.some((entry) => hasPaid(charges, entry)),
  }));
  const paidCount = groups.filter(({ isPaid }) => isPaid).length;
  if (paidCount < 2 || entries.some((entry) => isRepeatPayment(journal, entry))) return [series];
  const lastPaid = groups.findLastIndex(({ isPaid }) => isPaid);
  const purchases: StoredEntry[][] = [];
  let purchase: StoredEntry[] = [];
  for (const [at, { group, isPaid }] of groups.entries()) {
    for (const entry of group) purchase.push(entry);
    if (isPaid && at !== lastPaid) {
      purchases.push(purchase);
      purchase = [];
    }
  }
  purchases.push(purchase);
  return purchases.map((own, at) => ({
    key: at === 0 ? key : `${key}@${own[0]?.seq ?? ''}`,
    entries: own.toSorted(bySeq),
  }));
}

/** Whether a request charged or authorized money. */
function hasPaid(charges: Charges, entry: StoredEntry): boolean {
  return hasCreated(entry) && charges.ofPayment(entry).every(({ state }) => state !== 'denied');
}

/**
 * Whether the client had sent an order that has a number of its own some time before, and paid it or could not know whether
 * it had. A queue that delivers a job again looks like that.
 */
function isSentAgain(
  journal: JournalIndex,
  before: readonly StoredEntry[],
  entry: StoredEntry,
): boolean {
  const last = before.at(-1);
  return (
    last !== undefined &&
    (gapMs(last, entry) <= maxRedeliveryMs ||
      (isCapturedAfter(journal, last, entry) &&
        !isCapturedLaterBy(journal, maxRedeliveryMs, last, entry)) ||
      isPeriodPaidAgain(journal, last, entry)) &&
    (before.some(({ committed }) => committed) || isRetriedLater(journal, last, entry)) &&
    isNamedOrder(journal, entry)
  );
}

/**
 * Whether a period of a plan is paid again within one month, as by a client that adds 30 days for a month. In another month,
 * the period in the text may be the one in which the plan began.
 */
function isPeriodPaidAgain(journal: JournalIndex, last: StoredEntry, entry: StoredEntry): boolean {
  return (
    isMonthOfPlan(journal, entry) &&
    lastWithKey(journal, last).concludes === 'OK' &&
    isSameMonth(last.atMs, entry.atMs)
  );
}

/**
 * Whether a request may repeat one whose outcome is unknown. It may instead be for another part of the order, or belong to
 * another test, which stores a card first.
 */
function isRetriedLater(journal: JournalIndex, last: StoredEntry, entry: StoredEntry): boolean {
  return (
    hasUnknownOutcome(last) &&
    !arePartsInTurn(journal, last, entry) &&
    !isCardStoredBetween(journal, last, entry)
  );
}

/** Whether a request pays one order again, with another card, number or amount. */
function isRepeatPayment(journal: JournalIndex, entry: StoredEntry): boolean {
  return repeatPayments(journal).has(entry);
}

const repeatPayments = memoize(
  (journal: JournalIndex): ReadonlySet<StoredEntry> =>
    new Set(
      findRepeatPurchases(journal).flatMap(({ isOneOrder, attempts }) =>
        isOneOrder ? attempts.slice(1) : [],
      ),
    ),
);
