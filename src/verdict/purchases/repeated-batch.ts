/** Batches of purchases that were paid again as a group, as by a billing job that ran twice. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, type JournalIndex } from '../evidence/journal-index.ts';
import { cardAndAmountOf, detailsOf, orderNamesIn } from '../evidence/request-fields.ts';

/** The payments of two runs that have the same names, cards and amounts, in the order of the second run. */
export type RepeatedBatch = readonly PaidTwice[];

export interface PaidTwice {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly custom: string;
  /** Card and amount. */
  readonly work: string;
}

/** A job that is meant to run each day may come some hours early. A run that is repeated sooner is a mistake. */
const maxGapMs = 20 * 3_600_000;

/**
 * Finds runs of payments for several orders, each with a `custom` of its own, that were paid again in a second run.
 *
 * One order that is paid twice may be two purchases under one name. Several together are not: all of the first run
 * come before the second, and the second run holds few other payments.
 */
export const findRepeatedBatches = memoize((journal: JournalIndex): readonly RepeatedBatch[] => {
  const paid = journal.of('payment.create').filter(isPaid);
  const batches: PaidTwice[][] = [];
  let batch: PaidTwice[] = [];
  const end = (): void => {
    if (isBatch(batch, paid)) batches.push(batch);
    batch = [];
  };
  for (const pair of findPairs(journal, paid)) {
    const [begin] = batch;
    if (begin !== undefined && !continues(batch, pair)) end();
    batch.push(pair);
  }
  end();
  return batches;
});

function isPaid(entry: StoredEntry): boolean {
  return entry.concludes === 'OK' && createdIds(entry).length > 0;
}

/** Each payment of an order with the next equal one, in the order of the later ones. */
function findPairs(journal: JournalIndex, paid: readonly StoredEntry[]): PaidTwice[] {
  const byIntent = [...groupBy(paid, ({ intent }) => intent).values()];
  const repeated = byIntent.filter(({ length }) => length > 1);
  if (repeated.length < 2) return [];
  const pairs = repeated.flatMap((entries) => {
    const [one] = entries;
    const names = one && orderNamesIn(journal, one);
    const { custom } = names ?? {};
    if (custom === undefined || names?.invoiceNumber !== undefined) return [];
    const alike = groupBy(entries, (entry) =>
      JSON.stringify([cardAndAmountOf(journal, entry), detailsOf(journal, entry)]),
    );
    return [...alike].flatMap(([work, equal]) =>
      equal.flatMap((again, at): PaidTwice[] => {
        const first = equal[at - 1];
        return first === undefined || gapMs(first, again) > maxGapMs
          ? []
          : [{ first, again, custom, work }];
      }),
    );
  });
  return pairs.toSorted((one, other) => one.again.seq - other.again.seq);
}

/** Whether a pair belongs to the same two runs: its first payment comes before the second run, and its name is new. */
function continues(batch: readonly PaidTwice[], { first, custom }: PaidTwice): boolean {
  const secondRunFrom = batch[0]?.again.seq ?? 0;
  return first.seq < secondRunFrom && !batch.some((other) => other.custom === custom);
}

/** Two tills of a shop may sell the same thing in turn, so two equal orders are not enough. */
function isBatch(batch: readonly PaidTwice[], paid: readonly StoredEntry[]): boolean {
  const [begin] = batch;
  const last = batch.at(-1);
  if (begin === undefined || last === undefined) return false;
  if (new Set(batch.map(({ work }) => work)).size < 2 && batch.length < 3) return false;
  const inSecondRun = paid.filter(({ seq }) => seq >= begin.again.seq && seq <= last.again.seq);
  return batch.length >= 2 && batch.length * 2 > inSecondRun.length;
}
