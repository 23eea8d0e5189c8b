/** Batches of payments or refunds that were made again as a group, as by a job that ran twice. */
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isRefundReadBefore } from '../client-knowledge/disclosure.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { gapMs, indexAfter } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import {
  cardAndAmountOf,
  detailsOf,
  orderNamesIn,
  recordWorkOf,
  textOf,
  transactionOf,
} from '../evidence/request-fields.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/** The requests of two runs that ask for the same, in the order of the second run. */
export type RepeatedBatch = readonly DoneTwice[];

/** Two requests that ask for the same. */
interface Pair {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
}

export interface DoneTwice extends Pair {
  /** The order that was paid, or the record that was refunded. */
  readonly name: string;
  /** What tells two requests of one run apart, beside the name: card and amount. */
  readonly work: string;
}

/** A job that is meant to run each day may come some hours early. A run that is repeated sooner is a mistake. */
const maxGapMs = 20 * 3_600_000;

/**
 * Finds runs of payments for several orders, each with a `custom` or a description of its own, that were paid again in
 * a second run.
 *
 * One order that is paid twice may be two purchases under one name. Several together are not: all of the first run
 * come before the second, and the second run holds few other payments.
 */
export const findRepeatedBatches = memoize((journal: JournalIndex): readonly RepeatedBatch[] => {
  const paid = journal.of('payment.create').filter(isDone);
  const byIntent = [...groupBy(paid, ({ intent }) => intent).values()];
  const repeated = byIntent.filter(({ length }) => length > 1);
  if (repeated.length < 2) return [];
  const pairs = repeated.flatMap((entries) => {
    const name = orderNameOf(journal, entries);
    if (name === undefined) return [];
    const alike = groupBy(entries, (entry) =>
      JSON.stringify([cardAndAmountOf(journal, entry), detailsOf(journal, entry)]),
    );
    return [...alike].flatMap(([work, equal]) =>
      pairsOf(equal).map((pair) => ({ ...pair, name, work })),
    );
  });
  return findBatches(pairs, paid);
});

/**
 * Finds runs of refunds for several sales or captures that were made again in a second run.
 *
 * A client that reads a refund before it makes another one of the same amount gives another item back.
 */
export const findRepeatedRefunds = memoize((journal: JournalIndex): readonly RepeatedBatch[] => {
  const refunded = journal.of('sale.refund', 'capture.refund').filter(isDone);
  const alike = groupBy(refunded, (entry) => recordWorkOf(journal, entry));
  const pairs = [...alike.values()].flatMap(pairsOf).map((pair) => ({
    ...pair,
    name: recordIdIn(pair.first) ?? '',
    work: canonicalAmount(memberOf(journal.requestFieldsOf(pair.first), 'amount')).join(' '),
  }));
  if (new Set(pairs.map(({ name }) => name)).size < 2) return [];
  const unread = pairs.filter(({ first, again }) => !isRefundReadBefore(journal, first, again));
  return findBatches(unread, refunded);
});

function isDone(entry: StoredEntry): boolean {
  return entry.concludes === 'OK' && createdIds(entry).length > 0;
}

/** The name of an order that has no invoice number. The service refuses a number that is used again. */
function orderNameOf(journal: JournalIndex, [one]: readonly StoredEntry[]): string | undefined {
  if (one === undefined) return undefined;
  const { invoiceNumber, custom } = orderNamesIn(journal, one);
  if (invoiceNumber !== undefined) return undefined;
  return custom ?? textOf(memberOf(transactionOf(journal, one), 'description'));
}

/** Each of some equal requests with the next one, unless that is a repeat of the same request. */
function pairsOf(equal: readonly StoredEntry[]): Pair[] {
  return equal.flatMap((again, at): Pair[] => {
    const first = equal[at - 1];
    if (first === undefined || gapMs(first, again) > maxGapMs) return [];
    const isSameRequest = first.requestId !== undefined && first.requestId === again.requestId;
    return isSameRequest ? [] : [{ first, again }];
  });
}

/** @param done All requests of the kind, among which the second runs are found. */
function findBatches(pairs: readonly DoneTwice[], done: readonly StoredEntry[]): RepeatedBatch[] {
  const batches: DoneTwice[][] = [];
  let batch: DoneTwice[] = [];
  const names = new Set<string>();
  const end = (): void => {
    if (isBatch(batch, done)) batches.push(batch);
    batch = [];
    names.clear();
  };
  for (const pair of pairs.toSorted((one, other) => one.again.seq - other.again.seq)) {
    if (batch.length > 0 && !continues(batch, names, pair)) end();
    batch.push(pair);
    names.add(pair.name);
  }
  end();
  return batches;
}

/** Whether a pair belongs to the same two runs: its first request comes before the second run, and its name is new. */
function continues(
  batch: readonly DoneTwice[],
  names: ReadonlySet<string>,
  { first, name }: DoneTwice,
): boolean {
  const secondRunFrom = batch[0]?.again.seq ?? 0;
  return first.seq < secondRunFrom && !names.has(name);
}

/** Two tills of a shop may sell the same thing in turn, so two equal orders are not enough. */
function isBatch(batch: readonly DoneTwice[], done: readonly StoredEntry[]): boolean {
  const [begin] = batch;
  const last = batch.at(-1);
  if (begin === undefined || last === undefined) return false;
  if (new Set(batch.map(({ work }) => work)).size < 2 && batch.length < 3) return false;
  const inSecondRun = indexAfter(done, last.again.seq) - indexAfter(done, begin.again.seq - 1);
  return batch.length >= 2 && batch.length * 2 > inSecondRun;
}
