import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { mayBeDoneTwice, refundsBy, weights, remedyFor } from './duplicates.ts';
import { duplicateConfidence } from '../../client-knowledge/duplicate-confidence.ts';
import {
  capitalize,
  formatTimes,
  firstExamples,
  describePurchase,
  formatMoney,
} from '../../phrases.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordWorkOf } from '../../evidence/request-fields.ts';
import { problems } from '../../../contract/problems.ts';
import { hasForcedEffect } from '../../evidence/exchange-results.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { OnceOnlyOperation } from '../../purchases/attempts.ts';

/** The same money was asked back more than once. */
export const doubleRefund: FindingRule = {
  id: 'double-refund',
  severity: 'critical',
  about: 'The same money was asked back more than once.',
  remedy: 'Send one PayPal-Request-Id for each refund, and read the sale before another one.',
  find: doubleRefunds,
};

function* doubleRefunds(evidence: Evidence): Generator<Detection> {
  for (const task of evidence.attemptGroups) {
    const { operation, attempts } = task;
    if (!isRefund(operation) || !mayBeDoneTwice(attempts)) continue;
    const makers = attempts.filter((entry) => refundsBy(evidence, entry).length > 0);
    const made = new Set(makers.flatMap((entry) => refundsBy(evidence, entry)));
    if (made.size < 2) continue;
    const confidence = duplicateConfidence(evidence, task, made);
    const end = confidence === 'certain' ? '' : ', if it was meant once';
    yield {
      what: `${capitalize(refundedWords(evidence, attempts))} was refunded ${formatTimes(made.size)}: ${refundWords(evidence, made)}${end}.`,
      evidence: firstExamples(makers),
      purchase: task.purchase,
      ...weights[confidence],
      ...remedyFor(makers),
    };
  }
  yield* refundsInVain(evidence);
}

/** A whole refund that is refused was already made: whoever asks for it again does not know that. */
function* refundsInVain(evidence: Evidence): Generator<Detection> {
  const requests = groupBy(evidence.of('sale.refund', 'capture.refund'), (entry) =>
    recordWorkOf(evidence, entry),
  );
  for (const [, ofOne] of requests) {
    const makers = ofOne.filter((entry) => refundsBy(evidence, entry).length > 0);
    const [first] = makers;
    if (first === undefined) continue;
    // A repeat that says it is one is none of these.
    const ids = new Set(makers.map(({ requestId }) => requestId));
    const again = ofOne.filter(
      (entry) =>
        entry.seq > first.seq &&
        entry.problem === problems['already-refunded'].name &&
        // One that was forced says nothing about what is left.
        !hasForcedEffect(entry, 'error') &&
        (entry.requestId === undefined || !ids.has(entry.requestId)),
    );
    if (again.length === 0) continue;
    const asked = [...makers, ...again];
    yield {
      what: `A refund of ${refundedWords(evidence, ofOne)} was asked for ${formatTimes(asked.length)}; only the sandbox's limit kept the money from going back again.`,
      evidence: firstExamples(asked),
      purchase: evidence.purchaseLookup.byRecord(recordIdIn(first) ?? ''),
    };
  }
}

/** What these requests ask money back of. */
function refundedWords({ purchaseLookup }: Evidence, [first]: readonly StoredEntry[]): string {
  const id = (first && recordIdIn(first)) ?? '';
  const purchase = purchaseLookup.byRecord(id);
  const kind = first?.operation === 'capture.refund' ? 'capture' : 'sale';
  return `${kind} ${id}${purchase === undefined ? '' : ` (${describePurchase(purchase)})`}`;
}

/** All ask for the same amount, of which one refund was meant. */
function refundWords({ records }: Evidence, made: ReadonlySet<string>): string {
  const amounts = [...made].flatMap((id) => records.refunds.get(id)?.amount ?? []);
  const [first, ...others] = amounts;
  if (first === undefined) return '';
  const tooMuch = others.reduce((sum, { minor }) => sum + minor, 0);
  return `${firstExamples(amounts.map(formatMoney)).join(', ')}; ${formatMoney({ ...first, minor: tooMuch })} too much`;
}

function isRefund(operation: OnceOnlyOperation): boolean {
  return operation === 'sale.refund' || operation === 'capture.refund';
}
