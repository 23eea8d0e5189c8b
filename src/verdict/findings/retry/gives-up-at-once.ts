import type { FindingRule, Detection } from '../finding-rule.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { capitalize, formatCount, firstExamples } from '../../phrases.ts';

/** A read failed once in a way that passes, and was not tried again. */
export const givesUpAtOnce: FindingRule = {
  id: 'gives-up-at-once',
  severity: 'low',
  about: 'A read failed once in a way that passes, and was not tried again.',
  remedy: 'Try a read once more after 429, 503 or a connection that broke.',
  needsWholeJournal: true,
  find: readsGivenUp,
};

const reads: readonly OperationName[] = [
  'card.get',
  'card.list',
  'payment.get',
  'payment.list',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'capture.get',
  'refund.get',
];

function* readsGivenUp(evidence: Evidence): Generator<Detection> {
  for (const name of reads) {
    const given: StoredEntry[] = [];
    if (!evidence.of(name).some(passes)) continue;
    for (const [, ofOne] of groupBy(evidence.of(name), recordIdIn)) {
      const last = ofOne.at(-1);
      const before = ofOne.at(-2);
      if (last === undefined || !passes(last) || (before !== undefined && passes(before))) continue;
      if (!isStillToWait(evidence, last)) given.push(last);
    }
    if (given.length === 0) continue;
    yield {
      what: `${capitalize(formatCount(given.length, 'read'))} (${name}) failed once in a way that passes, and ${given.length === 1 ? 'was' : 'were'} not tried again.`,
      evidence: firstExamples(given.toSorted((a, b) => a.seq - b.seq)),
      // A page that shows the error and lets the buyer try again does nothing wrong.
      confidence: 'possible',
    };
  }
}

function passes({ status, delivery }: StoredEntry): boolean {
  if (delivery.state === 'delivered') return status === 429 || status === 503;
  return delivery.state === 'lost' && !delivery.clientLeft;
}

function isStillToWait({ atMs }: Evidence, { retryAfter, atMs: answeredMs }: StoredEntry): boolean {
  if (retryAfter === undefined) return false;
  const untilMs = /^\d+$/.test(retryAfter)
    ? answeredMs + Number(retryAfter) * 1000
    : Date.parse(retryAfter);
  return atMs < untilMs;
}
