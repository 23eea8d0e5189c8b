/** Batches of payments, captures or refunds that were made again as a group, as by a job that ran twice. */
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isDoneBefore } from '../client-knowledge/disclosure.ts';
import { withoutNamelessSeries } from '../client-knowledge/equal-sales.ts';
import { hasSameKey } from '../client-knowledge/idempotency-keys.ts';
import { isRefundReadBefore, isCaptureReadBefore } from '../client-knowledge/reads/reads-by-id.ts';
import { areCardsStoredInTurn, paidCardOf } from '../evidence/cards.ts';
import { hasCreated, isRefund } from '../evidence/exchange-results.ts';
import { bySeq, consecutivePairs, gapMs, sentAtMsOf } from '../evidence/exchange-order.ts';
import { groupBy, keepWhere } from '../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import {
  mayNameRun,
  runsIn,
  withoutAttempt,
  withoutNewParts,
  withoutRun,
} from '../evidence/orders/attempt-marks.ts';
import { nameOtherParts } from '../evidence/key-parts.ts';
import { customerIdOf } from '../evidence/records.ts';
import { hasInvoiceNumber, orderNamesIn } from '../evidence/orders/order-names.ts';
import { namesPeriod } from '../evidence/orders/order-words.ts';
import {
  groupByContent,
  paymentsByIntent,
  requestsByRecordContent,
  paymentContentOf,
} from '../evidence/request-content.ts';
import { customerIn, textOf, transactionOf } from '../evidence/request-fields.ts';
import { paymentAsRequested } from '../evidence/requested-payments.ts';
import { sameDayWindowMs } from '../evidence/time-windows.ts';
import { memoize } from '../../shared/memoize.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import {
  groupBatches,
  type RepeatedRequest,
  type Pair,
  type RepeatedBatch,
} from './group-batches.ts';

/**
 * Finds runs of payments for several orders, each with a `custom` or a description of its own, that were paid again in
 * a second run.
 *
 * One order that is paid twice may be two purchases under one name. Several together are not: all of the first run
 * come before the second, and the second run holds few other payments. Orders that failed in the first run count as well,
 * because a job may run again because of them.
 */
export const findRepeatedPaymentBatches = memoize(
  (journal: JournalIndex): readonly RepeatedBatch[] => {
    const paid = journal.of('payment.create');
    const doneTwice = [...findDoneTwice(journal), ...findDoneInTwoRuns(journal)];
    if (doneTwice.length === 0) return [];
    const pairs = [...doneTwice, ...findFailedFirst(journal)];
    const batches = groupBatches(pairs, paid, isDoneIn(journal), ({ first }) =>
      paymentContentOf(journal, first),
    );
    return batches.filter(
      (batch) => !batch.every(({ hasFailed }) => hasFailed) && isOfTwoRuns(batch),
    );
  },
);

/** The orders that were paid more than once: each request that was done, with the next one. */
function* findDoneTwice(journal: JournalIndex): Generator<RepeatedRequest> {
  for (const entries of groupsDone(journal, paymentsByIntent(journal).values())) {
    const [one] = entries;
    // The service refuses an invoice number that is used again.
    if (one === undefined || hasInvoiceNumber(journal, one)) continue;
    const equal = groupByContent(journal, entries)
      .filter((alike) => !areCardsStoredInTurn(journal, alike))
      .map((alike) => withoutNamelessSeries(journal, alike));
    for (const { first, again } of pairsIn(journal, equal)) {
      const payment = paymentAsRequested(journal, first);
      if (payment === undefined) continue;
      const { custom, description } = payment.transaction;
      // Customers without names for their orders share an empty one.
      const name = textOf(custom) ?? textOf(description) ?? '';
      const detail = customerIdOf(payment) ?? paidCardOf(journal, first) ?? first.cardId;
      yield { first, again, name, detail };
    }
  }
}

/**
 * The orders that were paid for one period in two runs of a job, each of which writes its own number, id or time:
 * `ada/2030-01/run-1`. Each request with the next one.
 */
function findDoneInTwoRuns(journal: JournalIndex): RepeatedRequest[] {
  const paid = journal
    .of('payment.create')
    .filter(
      (entry) =>
        !entry.replayed && mayNameRun(entry.request ?? '') && !hasInvoiceNumber(journal, entry),
    );
  const byRest = groupBy(paid, (entry) =>
    withoutRun(nameAndContentOf(journal, entry), sentAtMsOf(entry)),
  );
  const ofPeriods = [...byRest].filter(([rest]) => namesPeriod(rest));
  const isDone = isDoneIn(journal);
  return pairsIn(
    journal,
    ofPeriods.map(([, entries]) => entries),
  ).flatMap((pair): RepeatedRequest[] => {
    const { first, again } = pair;
    const words = [first, again].map((entry) => nameAndContentOf(journal, entry));
    if (words[0] === words[1] || !isDone(again)) return [];
    const runs = words.map(runsIn).filter((named) => named !== '');
    const order = { ...pair, ...orderOf(journal, first), runs: runs.toSorted().join(' ') };
    if (isDone(first)) return [order];
    return hasCreated(first) ? [] : [{ ...order, hasFailed: true }];
  });
}

/** All that a request to pay says, its name included. */
function nameAndContentOf(journal: JournalIndex, entry: StoredEntry): string {
  return JSON.stringify([orderNamesIn(journal, entry).custom, paymentContentOf(journal, entry)]);
}

/** Whether all orders that name runs name the same two. If each has numbers of its own, those count pieces of work. */
function isOfTwoRuns(batch: RepeatedBatch): boolean {
  const named = batch.map(({ runs = '' }) => runs).filter((runs) => runs !== '');
  return new Set(named).size <= 1;
}

/** What a request to pay gives as the name of its order, and who pays. */
function orderOf(
  journal: JournalIndex,
  entry: StoredEntry,
): { readonly name: string; readonly detail: string | undefined } {
  const { custom } = orderNamesIn(journal, entry);
  return {
    name: custom ?? textOf(memberOf(transactionOf(journal, entry), 'description')) ?? '',
    detail: customerIn(journal, entry) ?? paidCardOf(journal, entry) ?? entry.cardId,
  };
}

/** The orders that were paid once at most: each request that failed, with the next one if that has another request id. */
function findFailedFirst(journal: JournalIndex): RepeatedRequest[] {
  const isDone = isDoneIn(journal);
  const groups = [...paymentsByIntent(journal).values()].filter(
    (entries) => !entries.every(isDone) && entries.filter(isDone).length < 2,
  );
  return groups.flatMap((entries) =>
    pairsIn(journal, groupByContent(journal, entries))
      .filter(({ first }) => !hasCreated(first) && !first.replayed)
      .map((pair) => ({ ...pair, ...orderOf(journal, pair.first), hasFailed: true })),
  );
}

/**
 * Finds runs of refunds for several sales or captures that were made again in a second run.
 *
 * A client that reads a refund before it makes another one of the same amount gives another item back.
 */
export const findRepeatedRefundBatches = memoize(
  (journal: JournalIndex): readonly RepeatedBatch[] => {
    const refunded = journal.of('sale.refund', 'capture.refund');
    const unread = recordPairs(journal, isRefund)
      .filter(({ first, again }) => !isRefundReadBefore(journal, first, again))
      .map((pair) => ({ ...pair, detail: amountOfRequest(journal, pair.first) }));
    return groupBatches(unread, refunded, isDoneIn(journal), ({ detail = '' }) => detail);
  },
);

/**
 * Finds runs of captures for several authorizations that were made again in a second run.
 *
 * Parts of one order may cost the same. A client that reads what is captured before it captures again takes another
 * part, and so does one whose captures add up to the authorized amount.
 */
export const findRepeatedCaptureBatches = memoize(
  (journal: JournalIndex): readonly RepeatedBatch[] => {
    const captured = journal.of('auth.capture');
    const unread = recordPairs(journal, (operation) => operation === 'auth.capture').filter(
      ({ first, again, name }) =>
        !isCapturedExactly(journal, name) && !isCaptureReadBefore(journal, first, again),
    );
    return groupBatches(unread, captured, isDoneIn(journal), ({ first }) =>
      amountOfRequest(journal, first),
    );
  },
);

/** Tests whether a request was done, and the client learned of it at some time. */
function isDoneIn(journal: JournalIndex): (entry: StoredEntry) => boolean {
  return (entry) => isDoneBefore(journal, entry, Infinity);
}

/** Of each group the requests that were done, if there are several. */
function groupsDone(
  journal: JournalIndex,
  groups: Iterable<readonly StoredEntry[]>,
): (readonly StoredEntry[])[] {
  return [...groups]
    .filter(({ length }) => length > 1)
    .map((entries) => keepWhere(entries, isDoneIn(journal)))
    .filter(({ length }) => length > 1);
}

/** Equal requests about records, each of them made again while others were under way. */
function recordPairs(
  journal: JournalIndex,
  isOfKind: (operation: StoredEntry['operation']) => boolean,
): readonly RepeatedRequest[] {
  const ofKind = [...requestsByRecordContent(journal)].filter(([, [first]]) =>
    isOfKind(first?.operation),
  );
  // Each run may write its time into a note, or a number of its own.
  const byTask = groupBy(ofKind, ([work]) => withoutAttempt(withoutNewParts(work)));
  const equal = [...byTask.values()].map((groups) => joinInOrder(groups.map(([, one]) => one)));
  const pairs = pairsIn(journal, groupsDone(journal, equal));
  return overlapping(pairs).map(({ first, again }) => ({
    first,
    again,
    name: recordIdIn(first) ?? '',
    detail: undefined,
  }));
}

/** Joins ordered lists. Most requests are worded like no others, so that there is one list. */
function joinInOrder(lists: readonly (readonly StoredEntry[])[]): readonly StoredEntry[] {
  const joined = lists.flat();
  return lists.length === 1 ? joined : joined.toSorted(bySeq);
}

/**
 * The pairs that may belong to a batch: from the first request to the second of one lies a request of another. A client
 * that does everything twice in a row has no such pairs.
 */
function overlapping(pairs: readonly Pair[]): Pair[] {
  const inOrder = pairs.toSorted((one, next) => one.first.seq - next.first.seq);
  let latestSeq = 0;
  return inOrder.filter((pair, at) => {
    const next = inOrder[at + 1];
    const isOverlapping =
      pair.first.seq < latestSeq || (next !== undefined && next.first.seq < pair.again.seq);
    latestSeq = Math.max(latestSeq, pair.again.seq);
    return isOverlapping;
  });
}

function amountOfRequest(journal: JournalIndex, entry: StoredEntry): string {
  return canonicalAmount(memberOf(journal.requestFieldsOf(entry), 'amount')).join(' ');
}

function isCapturedExactly({ records }: JournalIndex, authorizationId: string): boolean {
  const authorization = records.authorizations.get(authorizationId);
  return authorization?.capturedMinor === authorization?.amount.minor;
}

/** Of groups of equal requests each request with the next one, unless that is a repeat of the same request. */
function pairsIn(journal: JournalIndex, groups: Iterable<readonly StoredEntry[]>): Pair[] {
  return [...groups]
    .flatMap(consecutivePairs)
    .filter(([first, again]) => isMadeAgain(journal, first, again))
    .map(([first, again]) => ({ first, again }));
}

function isMadeAgain(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  return (
    gapMs(first, again) <= sameDayWindowMs &&
    !hasSameKey(first, again) &&
    !nameOtherParts(first, again) &&
    // A request that is sent again because its outcome is unknown is no second run.
    (!hasCreated(first) || isDoneBefore(journal, first, again.seq))
  );
}

/** The requests of the second runs that repeat what the first runs had done. */
export const requestsMadeAgain = memoize(
  (batches: readonly RepeatedBatch[]): ReadonlySet<StoredEntry> =>
    new Set(
      batches.flatMap((batch) =>
        batch.filter(({ hasFailed }) => !hasFailed).map(({ again }) => again),
      ),
    ),
);
