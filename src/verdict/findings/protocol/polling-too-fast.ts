import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { groupRepeats } from '../../evidence/group-by.ts';
import { firstExamples, formatDuration } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds reads of one record in a fast or endless loop while nothing changes. */
export const pollingTooFast: FindingRule = {
  id: 'polling-too-fast',
  severity: 'medium',
  about: 'The same record was read over and over without waits.',
  remedy: 'Wait longer after each read that shows no change, and stop at some point.',
  find: findFastPolls,
};

/** Clients poll for changes of money. A card is read for other reasons, as often as pages show it. */
const polledOperations: readonly OperationName[] = [
  'payment.get',
  'payment.list',
  'sale.get',
  'auth.get',
  'capture.get',
  'refund.get',
];

/** Reads closer than this for this long are too fast. */
const fastGapMs = 1_000;
const fastRunMs = 10_000;
const minReads = fastRunMs / fastGapMs;

/** This many reads without a change are too many, unless they are further apart than this. */
const maxReads = 30;
const loopGapMs = 10_000;

function* findFastPolls(evidence: Evidence): Generator<Detection> {
  const reads = groupRepeats(evidence.of(...polledOperations), minReads, (entry) => entry.path);
  for (const [path, ofPath] of reads) {
    for (const run of runsOf(ofPath, loopGapMs)) {
      const fast = runsOf(run, fastGapMs).find((part) => lengthMs(part) >= fastRunMs);
      const found = fast ?? (run.length > maxReads ? run : undefined);
      if (found === undefined) continue;
      yield {
        what: `The client read ${path.slice(0, 80)} ${found.length} times in ${formatDuration(lengthMs(found))}, and nothing had changed.`,
        evidence: firstExamples(found),
      };
      break;
    }
  }
}

/** Reads in a row with the same answer. A client that advances the clock between two reads waits. */
function runsOf(reads: readonly StoredEntry[], maxGapMs: number): StoredEntry[][] {
  const runs: StoredEntry[][] = [];
  let last: StoredEntry | undefined;
  for (const read of reads) {
    const isNext =
      last !== undefined && gapMs(last, read) < maxGapMs && last.response === read.response;
    if (isNext) runs.at(-1)?.push(read);
    else runs.push([read]);
    last = read;
  }
  return runs;
}

function lengthMs(run: readonly StoredEntry[]): number {
  const [first, last] = [run[0], run.at(-1)];
  return first === undefined || last === undefined ? 0 : gapMs(first, last);
}
