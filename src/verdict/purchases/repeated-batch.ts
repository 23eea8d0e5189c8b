/** Batches of payments, captures or refunds that were made again as a group, as by a job that ran twice. */
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { hasSameKey } from '../client-knowledge/idempotency-keys.ts';
import { isRefundReadBefore, isCaptureReadBefore } from '../client-knowledge/reads.ts';
import { paidCardOf } from '../evidence/cards.ts';
import { createdIds, isRefund } from '../evidence/exchange-results.ts';
import { bySeq, consecutivePairs, gapMs, indexAfter } from '../evidence/exchange-order.ts';
import { memoize, recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import { areForOtherPeriods } from '../evidence/periods.ts';
import { customerIdOf } from '../evidence/records.ts';
import {
  groupByWork,
  hasInvoiceNumber,
  paymentsByIntent,
  requestsByRecordWork,
  textOf,
  transactionAsRequested,
  workOf,
} from '../evidence/request-fields.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { sameIntentWindowMs } from './series.ts';

/** The requests of two runs that ask for the same, in the order of the second run. */
export type RepeatedBatch = readonly DoneTwice[];

/** Two requests that ask for the same. */
interface Pair {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
}

export interface DoneTwice extends Pair {
  /** The order that was paid, or the record that was captured or refunded. */
  readonly name: string;
  /** The customer who paid, or else the card. One name may stand for the orders of many. */
  readonly payer: string | undefined;
}

/** What tells two requests of one run apart, beside the name: card and amount. */
type WorkOf = (pair: DoneTwice) => string;

/** A job that is meant to run each day may come some hours early. A run that is repeated sooner is a mistake. */
const maxGapMs = 20 * 3_600_000;

/** A run pays one order after the other. Waits and retries may lie between two of them, but not more than this. */
const maxStepMs = 300_000;

/** A job pays one order right after the other. Buyers who come in turn leave more time between them. */
const minBuyerStepMs = 10_000;

/** A pause between two runs is at least this many times as long as the longest time between two orders. */
const minPauseShare = 2;

/** How much the pace of two runs may differ, as a share of the time between them. */
const paceShare = 0.1;

/**
 * Finds runs of payments for several orders, each with a `custom` or a description of its own, that were paid again in
 * a second run.
 *
 * One order that is paid twice may be two purchases under one name. Several together are not: all of the first run
 * come before the second, and the second run holds few other payments.
 */
export const findRepeatedBatches = memoize((journal: JournalIndex): readonly RepeatedBatch[] => {
  const paid = journal.of('payment.create');
  const pairs = groupsDone(paymentsByIntent(journal).values()).flatMap((entries) => {
    const [one] = entries;
    // The service refuses an invoice number that is used again.
    if (one === undefined || hasInvoiceNumber(journal, one)) return [];
    return groupByWork(journal, entries)
      .flatMap(pairsOf)
      .flatMap(({ first, again }): DoneTwice[] => {
        const payment = journal.records.payments.get(first.subject ?? '');
        if (payment === undefined) return [];
        const { custom, description } = transactionAsRequested(journal, first, payment);
        const name = textOf(custom) ?? textOf(description);
        const payer = customerIdOf(payment) ?? paidCardOf(journal, first) ?? first.cardId;
        return name === undefined ? [] : [{ first, again, name, payer }];
      });
  });
  return findBatches(pairs, paid, ({ first }) => workOf(journal, first));
});

/**
 * Finds runs of refunds for several sales or captures that were made again in a second run.
 *
 * A client that reads a refund before it makes another one of the same amount gives another item back.
 */
export const findRepeatedRefunds = memoize((journal: JournalIndex): readonly RepeatedBatch[] => {
  const refunded = journal.of('sale.refund', 'capture.refund');
  const unread = recordPairs(journal, isRefund).filter(
    ({ first, again }) => !isRefundReadBefore(journal, first, again),
  );
  return findBatches(unread, refunded, ({ first }) => amountOfRequest(journal, first));
});

/**
 * Finds runs of captures for several authorizations that were made again in a second run.
 *
 * Parts of one order may cost the same. A client that reads what is captured before it captures again takes another
 * part, and so does one whose captures add up to the authorized amount.
 */
export const findCapturesMadeAgain = memoize((journal: JournalIndex): readonly RepeatedBatch[] => {
  const captured = journal.of('auth.capture');
  const unread = recordPairs(journal, (operation) => operation === 'auth.capture').filter(
    ({ first, again, name }) =>
      !isCapturedExactly(journal, name) && !isCaptureReadBefore(journal, first, again),
  );
  return findBatches(unread, captured, ({ first }) => amountOfRequest(journal, first));
});

/** Of each group the requests that were done, if there are several. */
function groupsDone(groups: Iterable<readonly StoredEntry[]>): StoredEntry[][] {
  return [...groups]
    .filter(({ length }) => length > 1)
    .map((entries) => entries.filter(isDone))
    .filter(({ length }) => length > 1);
}

/** Equal requests about records, each of them made again while others were under way. */
function recordPairs(
  journal: JournalIndex,
  isOfKind: (operation: StoredEntry['operation']) => boolean,
): readonly DoneTwice[] {
  const groups = [...requestsByRecordWork(journal).values()];
  const ofKind = groups.filter(([first]) => isOfKind(first?.operation));
  const pairs = groupsDone(ofKind).flatMap(pairsOf);
  return overlapping(pairs).map(({ first, again }) => ({
    first,
    again,
    name: recordIdIn(first) ?? '',
    payer: undefined,
  }));
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

function isDone(entry: StoredEntry): boolean {
  return entry.concludes === 'OK' && createdIds(entry).length > 0;
}

/** Each of some equal requests with the next one, unless that is a repeat of the same request. */
function pairsOf(equal: readonly StoredEntry[]): Pair[] {
  return consecutivePairs(equal)
    .map(([first, again]) => ({ first, again }))
    .filter(
      ({ first, again }) =>
        gapMs(first, again) <= maxGapMs &&
        !hasSameKey(first, again) &&
        !areForOtherPeriods(first, again),
    );
}

/** @param requests All requests of the kind, among which the second runs are found. */
function findBatches(
  pairs: readonly DoneTwice[],
  requests: readonly StoredEntry[],
  keyOf: WorkOf,
): RepeatedBatch[] {
  if (pairs.length === 0) return [];
  const batches: RepeatedBatch[] = [];
  const done = requests.filter(isDone);
  const end = (batch: GrowingBatch | undefined): void => {
    if (batch === undefined || !isBatch(batch.pairs, done, keyOf)) return;
    if (!isRoundOfBuyers(batch.pairs, requests)) batches.push(batch.pairs);
  };
  // A buyer may buy the same thing again while a second run is under way, so the batch before the latest stays open.
  let latest: GrowingBatch | undefined;
  let other: GrowingBatch | undefined;
  for (const pair of pairs.toSorted((one, next) => one.again.seq - next.again.seq)) {
    const joined = [latest, other].find((batch) => batch?.isContinuedBy(pair));
    if (joined === undefined) end(other);
    if (joined !== latest || joined === undefined) other = latest;
    latest = joined ?? new GrowingBatch();
    latest.add(pair);
  }
  end(other);
  end(latest);
  return batches;
}

class GrowingBatch {
  readonly pairs: DoneTwice[] = [];
  readonly #members = new Set<string>();

  add(pair: DoneTwice): void {
    this.pairs.push(pair);
    this.#members.add(memberKey(pair));
  }

  /**
   * Whether a pair belongs to the same two runs: its first request comes before the second run, its order is new, and
   * the second run follows the first one at the same pace. Buyers that come back do so after times of their own.
   */
  isContinuedBy(pair: DoneTwice): boolean {
    const [begin] = this.pairs;
    const last = this.pairs.at(-1);
    if (begin === undefined || last === undefined) return false;
    const afterMs = gapMs(last.first, last.again);
    const differenceMs = Math.abs(gapMs(pair.first, pair.again) - afterMs);
    return (
      pair.first.seq < begin.again.seq &&
      !this.#members.has(memberKey(pair)) &&
      differenceMs <= Math.max(sameIntentWindowMs, afterMs * paceShare) &&
      isSoonAfter(last.again, pair.again) &&
      isSoonAfter(last.first, pair.first)
    );
  }
}

function isSoonAfter(one: StoredEntry, other: StoredEntry): boolean {
  const [earlier, later] = one.seq < other.seq ? [one, other] : [other, one];
  return gapMs(earlier, later) <= maxStepMs;
}

function memberKey({ name, payer }: DoneTwice): string {
  return JSON.stringify([name, payer]);
}

/**
 * Two tills of a shop may sell the same thing in turn, so two equal orders are not enough. Where customers share one
 * name, three of them must have paid again in the order of the first run.
 */
function isBatch(
  batch: readonly DoneTwice[],
  done: readonly StoredEntry[],
  keyOf: WorkOf,
): boolean {
  const [begin] = batch;
  const last = batch.at(-1);
  if (begin === undefined || last === undefined || batch.length < 2) return false;
  const isNamed = new Set(batch.map(({ name }) => name)).size === batch.length;
  if (batch.length === 2 && !(isNamed && keyOf(begin) !== keyOf(last))) return false;
  const isInOrder = consecutivePairs(batch).every(([one, next]) => one.first.seq <= next.first.seq);
  if (!isNamed && !isInOrder) return false;
  const inSecondRun = indexAfter(done, last.again.seq) - indexAfter(done, begin.again.seq - 1);
  return batch.length * 2 > inSecondRun;
}

/**
 * Whether buyers came in turn, and then again in the same order: none of them right after the one before, and without a
 * pause between the rounds. A job pauses before its second run, or begins it at once.
 *
 * Buyers who were refused in one of the rounds leave no pause either.
 */
function isRoundOfBuyers(batch: RepeatedBatch, requests: readonly StoredEntry[]): boolean {
  const entries = batch.flatMap(({ first, again }) => [first, again]).toSorted(bySeq);
  const stepsMs = stepsBetween(entries);
  if (Math.min(...stepsMs) < minBuyerStepMs) return false;
  const [lastSeq = 0, againSeq = 0] = entries.slice(batch.length - 1).map(({ seq }) => seq);
  stepsMs.splice(batch.length - 1, 1);
  const between = requests.slice(indexAfter(requests, lastSeq - 1), indexAfter(requests, againSeq));
  return Math.max(...stepsBetween(between)) < minPauseShare * Math.max(...stepsMs);
}

function stepsBetween(entries: readonly StoredEntry[]): number[] {
  return consecutivePairs(entries).map(([before, next]) => gapMs(before, next));
}
