import type { FindingRule, Detection } from '../finding-rule.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupRepeats } from '../../evidence/group-by.ts';
import { firstExamples } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { gapMs } from '../../evidence/exchange-order.ts';

/** The same record was read over and over without a pause. */
export const pollingTooFast: FindingRule = {
  id: 'polling-too-fast',
  severity: 'medium',
  about: 'The same record was read over and over without a pause.',
  remedy: 'Wait longer after each read that shows no change, and give up at some time.',
  find: fastPolls,
};

/** What is waited for is money; a card is read for other reasons, as often as there are pages that show it. */
const polled: readonly OperationName[] = [
  'payment.get',
  'payment.list',
  'sale.get',
  'auth.get',
  'capture.get',
  'refund.get',
];

/** Faster than one a second for this long is too fast. */
const fastMs = 1_000;

const longMs = 10_000;

/** Fewer than one a second for that long are neither. */
const fewestPolls = longMs / fastMs;

/** More reads than this that show the same are too many; slower ones than this are no loop. */
const mostReads = 30;

const slowMs = 10_000;

function* fastPolls(evidence: Evidence): Generator<Detection> {
  const often = groupRepeats(evidence.of(...polled), fewestPolls, (entry) => entry.path);
  for (const [path, reads] of often) {
    for (const run of runsOf(reads, slowMs)) {
      const fast = runsOf(run, fastMs).find((one) => lengthMs(one) >= longMs);
      const found = fast ?? (run.length > mostReads ? run : undefined);
      if (found === undefined) continue;
      yield {
        what: `${found.length} times in ${(lengthMs(found) / 1000).toFixed(1)} s ${path.slice(0, 80)} was read and showed the same.`,
        evidence: firstExamples(found),
      };
      break;
    }
  }
}

/** Reads that followed each other within a time and showed the same. Whoever moves the clock between them waits. */
function runsOf(reads: readonly StoredEntry[], withinMs: number): StoredEntry[][] {
  const runs: StoredEntry[][] = [];
  let last: StoredEntry | undefined;
  for (const read of reads) {
    const goesOn =
      last !== undefined && gapMs(last, read) < withinMs && last.response === read.response;
    if (goesOn) runs.at(-1)?.push(read);
    else runs.push([read]);
    last = read;
  }
  return runs;
}

function lengthMs(run: readonly StoredEntry[]): number {
  const [first, last] = [run[0], run.at(-1)];
  return first === undefined || last === undefined ? 0 : gapMs(first, last);
}
