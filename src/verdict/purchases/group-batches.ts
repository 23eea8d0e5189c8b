/** Groups requests that were made twice into batches, each of which a job may have made in two runs. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import {
  bySeq,
  consecutivePairs,
  everyPair,
  gapMs,
  indexAfter,
  somePair,
} from '../evidence/exchange-order.ts';
import { memoize } from '../../shared/memoize.ts';
import { sameIntentWindowMs } from '../evidence/time-windows.ts';

/** The requests of two runs that ask for the same, in the order of the second run. */
export type RepeatedBatch = readonly RepeatedRequest[];

/** Two requests that ask for the same. */
export interface Pair {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
}

export interface RepeatedRequest extends Pair {
  /** The order that was paid, or the record that was captured or refunded. */
  readonly name: string;
  /**
   * What tells the requests of one name apart: the customer who paid, or else the card, as one name may stand for the orders
   * of many; or the amount of a refund, as a sale may be refunded item by item.
   */
  readonly detail: string | undefined;
  /** Whether the first request had failed, so that the client had a reason to send it again. */
  readonly hasFailed?: true;
  /**
   * The runs of a job that both name, as a key; empty if they differ only in the time at which they were sent. Absent for equal
   * words.
   */
  readonly runs?: string;
}

/** What tells two requests of one run apart, beside the name: card and amount. */
type PairKey = (pair: RepeatedRequest) => string;

/** A run pays one order after the other. Waits and retries may lie between two of them, but not more than this. */
const maxStepMs = 300_000;

/** A job pays one order right after the other. Buyers who come in turn leave more time between them. */
const minBuyerStepMs = 10_000;

/** A pause between two runs is at least this many times as long as the longest time between two orders. */
const minPauseShare = 2;

/** How much the pace of two runs may differ, as a share of the time between them. */
const paceShare = 0.1;

/**
 * Groups pairs of one kind of request into batches.
 *
 * @param requests All requests of the kind, among which the second runs are found.
 * @param isDone Whether a request created a record, and the client learned of it.
 */
export function groupBatches(
  pairs: readonly RepeatedRequest[],
  requests: readonly StoredEntry[],
  isDone: (entry: StoredEntry) => boolean,
  keyOf: PairKey,
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
    const joined = continuedBy(pair, latest) ?? continuedBy(pair, other);
    if (joined === undefined) end(other);
    if (joined !== latest || joined === undefined) other = latest;
    latest = joined ?? new GrowingBatch();
    latest.add(pair);
  }
  end(other);
  end(latest);
  return batches;
}

function continuedBy(
  pair: RepeatedRequest,
  batch: GrowingBatch | undefined,
): GrowingBatch | undefined {
  return batch?.isContinuedBy(pair) === true ? batch : undefined;
}

/** The pairs of two runs, as far as they are found. */
class GrowingBatch {
  readonly pairs: RepeatedRequest[] = [];
  readonly #members = new Set<string>();

  add(pair: RepeatedRequest): void {
    this.pairs.push(pair);
    this.#members.add(memberKey(pair));
  }

  /**
   * Whether a pair belongs to the same two runs. Its first request comes before the second run got so far, its order is new,
   * and the second run follows the first one at the same pace. Buyers that come back do so after times of their own.
   *
   * If both runs have names, the second may be at the heels of the first, as two workers are that take the orders in turn.
   */
  isContinuedBy(pair: RepeatedRequest): boolean {
    const last = this.pairs.at(-1);
    if (last === undefined) return false;
    const afterMs = gapMs(last.first, last.again);
    const differenceMs = Math.abs(gapMs(pair.first, pair.again) - afterMs);
    const { runs = '' } = pair;
    const areRunsNamed = runs !== '' && runs === last.runs;
    return (
      (areRunsNamed || pair.first.seq < last.again.seq) &&
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

function memberKey({ name, detail }: RepeatedRequest): string {
  return JSON.stringify([name, detail]);
}

/**
 * Two tills of a shop may sell the same thing in turn, so two equal orders are not enough. Where customers share one
 * name, three of them must have paid again in the order of the first run. So must three refunds of one sale.
 */
function isBatch(
  batch: readonly RepeatedRequest[],
  done: readonly StoredEntry[],
  keyOf: PairKey,
): boolean {
  const [begin] = batch;
  const last = batch.at(-1);
  if (begin === undefined || last === undefined || batch.length < 2) return false;
  const names = new Set(batch.map(({ name }) => name));
  const isNamed = names.size === batch.length && !names.has('');
  if (batch.length === 2 && !(isNamed && keyOf(begin) !== keyOf(last))) return false;
  if (!isNamed && !isInOrderOfFirstRun(batch)) return false;
  const inSecondRun = indexAfter(done, last.again.seq) - indexAfter(done, begin.again.seq - 1);
  return batch.length * 2 > inSecondRun;
}

function isInOrderOfFirstRun(batch: readonly RepeatedRequest[]): boolean {
  return everyPair(batch, (one, next) => one.first.seq <= next.first.seq);
}

/**
 * Whether buyers came in turn, and then again in the same order: none of them right after the one before, and without a
 * pause between the rounds. A job pauses before its second run, or begins it at once.
 *
 * Buyers who were refused in one of the rounds leave no pause either.
 */
function isRoundOfBuyers(batch: RepeatedBatch, requests: readonly StoredEntry[]): boolean {
  const entries = entriesOf(batch);
  if (somePair(entries, (one, next) => gapMs(one, next) < minBuyerStepMs)) return false;
  const stepsMs = stepsBetween(entries);
  const [lastSeq = 0, againSeq = 0] = entries.slice(batch.length - 1).map(({ seq }) => seq);
  stepsMs.splice(batch.length - 1, 1);
  const between = requests.slice(indexAfter(requests, lastSeq - 1), indexAfter(requests, againSeq));
  const longestMs = minPauseShare * largest(stepsMs);
  return stepsBetween(between).every((stepMs) => stepMs < longestMs);
}

/** Buyers who come back for another meal or class do so this much later. */
const minBuyerPauseMs = 4 * 3_600_000;

/** Even a slow job takes less time for an order. */
const minCustomerStepMs = 20_000;

/**
 * Whether buyers may have made both runs: each of them came some time after the one before, and they came back hours later.
 */
export const mayBeOfBuyers = memoize((batch: RepeatedBatch): boolean => {
  const stepsMs = stepsBetween(entriesOf(batch));
  const [pauseMs = 0] = stepsMs.splice(batch.length - 1, 1);
  return pauseMs >= minBuyerPauseMs && stepsMs.every((stepMs) => stepMs >= minCustomerStepMs);
});

/** The requests of both runs in the order in which they came. */
const entriesOf = memoize((batch: RepeatedBatch): readonly StoredEntry[] =>
  batch.flatMap(({ first, again }) => [first, again]).toSorted(bySeq),
);

/** The time from each request to the next one. */
function stepsBetween(entries: readonly StoredEntry[]): number[] {
  return consecutivePairs(entries).map(([before, next]) => gapMs(before, next));
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
