/** A job with very many orders that ran twice is judged like one with few. */
import { expect, it } from 'vitest';
import { StoredEntry } from '../../../src/journal/stored-entry.ts';
import { groupBatches, mayBeOfBuyers } from '../../../src/verdict/purchases/group-batches.ts';
import { opening } from '../journal/write-entries.ts';

/** More than a function may have arguments. */
const orders = 150_000;

/** How long after the first run the second one began. */
const pauseMs = 10 * orders;

function paidAt(seq: number, atMs: number): StoredEntry {
  const entry = new StoredEntry(seq, { ...opening, atMs }, atMs, undefined);
  entry.committed = true;
  entry.concludes = 'OK';
  entry.subject = `PAY-${seq}`;
  return entry;
}

it('finds one batch, however many orders it has', () => {
  const runOf = (firstSeq: number, startMs: number) =>
    Array.from({ length: orders }, (_, at) => paidAt(firstSeq + at, startMs + at));
  const first = runOf(1, 0);
  const second = runOf(orders + 1, pauseMs);
  const pairs = first.flatMap((entry, at) => {
    const again = second[at];
    return again === undefined
      ? []
      : [{ first: entry, again, name: `order ${at}`, detail: undefined }];
  });
  const batches = groupBatches(
    pairs,
    [...first, ...second],
    () => true,
    () => '',
  );
  expect(batches.map(({ length }) => length)).toEqual([orders]);
  expect(batches.map(mayBeOfBuyers)).toEqual([false]);
});
