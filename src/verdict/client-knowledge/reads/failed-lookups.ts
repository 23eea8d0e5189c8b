/**
 * Did the client try to find out what became of a request, while the service told it nothing until the end?
 *
 * Such a client did what it could. One that gave up could have known, if the service answered something later.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { findOutcome } from '../../../outcomes/catalogue.ts';
import { memoize } from '../../../shared/memoize.ts';
import { sumOf } from '../../../shared/counts.ts';
import { deletionsOf } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq, indexAfter } from '../../evidence/exchange-order.ts';
import { isRefused } from '../../evidence/exchange-results.ts';
import { recordContentOf, requestsByRecordContent } from '../../evidence/request-content.ts';
import { formatTimes } from '../../phrases.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import { hasSameKey } from '../idempotency-keys.ts';
import { ReconciliationReads, type LookedUpOperation } from './reconciliation.ts';

/** Advice for a client that looked as long as it could. */
export const lookAgainLater =
  'Look again once the service answers, for example in a nightly job. Until then, tell your support that the result is open.';

/**
 * The reads and lists after one request that told the client nothing. Repeats of the request are none: a client that
 * gives up after some still has to look.
 */
export interface FailedLookups {
  readonly count: number;
  /** The last of them, in a list; empty if there is none. */
  readonly last: readonly StoredEntry[];
  /**
   * Whether the service told the client nothing more after the last one, so that another one could not help either. One
   * answer from a stale replica is not enough: it is no proof of absence, so the client has to look again.
   */
  readonly wentOnToTheEnd: boolean;
}

/** Finds the failed lookups that the client sent after `request` had ended. */
export function failedLookupsAfter(
  evidence: Evidence,
  operation: LookedUpOperation,
  request: StoredEntry,
): FailedLookups {
  // A lookup that was sent together with the request proves nothing.
  const endSeq = Math.max(request.seq, request.waitedUntilSeq - 1);
  const lists = failedReads(evidence).listsOf(operation, request);
  const last = lists
    .flatMap((lookups) => lookups.slice(-1))
    .filter(({ seq }) => seq > endSeq)
    .toSorted(bySeq)
    .slice(-1);
  const count = sumOf(lists.map((lookups) => lookups.length - indexAfter(lookups, endSeq)));
  return {
    count,
    last,
    wentOnToTheEnd: last.some(
      (lookup) => lookup.seq > lastAnswerSeq(evidence) && (count > 1 || !isStale(lookup)),
    ),
  };
}

const failedReads = memoize(
  (evidence: Evidence) => new ReconciliationReads(evidence, tellsNothing),
);

/** `seq` of the last request that the service answered as usual; 0 if there is none. A token tells nothing about money. */
const lastAnswerSeq = memoize((evidence: Evidence): number => {
  const last = evidence.entries.findLast(
    (entry) => entry.operation !== 'token.create' && entry.status !== 401 && !tellsNothing(entry),
  );
  return last?.seq ?? 0;
});

/** Whether a request told the client nothing: it failed, was refused on purpose, or the answer shows an earlier state. */
function tellsNothing(entry: StoredEntry): boolean {
  if (entry.concludes === 'UNKNOWN') return true;
  return entry.concludes === 'OK' ? isStale(entry) : entry.outcomes.length > 0;
}

/** Whether an answer shows an earlier state. */
function isStale({ outcomes }: StoredEntry): boolean {
  return outcomes.some(({ id }) => findOutcome(id)?.concludes === 'READ');
}

/**
 * Whether the client acted as if a payment or capture had failed, although it could not know. It sent it again with another
 * request id, deleted the card, or says that the order is not paid.
 */
export function isPaymentTakenAsFailed(
  evidence: Evidence,
  request: StoredEntry,
  purchase: Purchase | undefined,
): boolean {
  const { seq, cardId = '' } = request;
  if (deletionsOf(evidence, cardId).some((later) => later.seq > seq)) return true;
  if (isRepeatedWithOtherKey(evidence, request)) return true;
  if (purchase === undefined) return false;
  return (
    evidence.beliefs.ofPurchase(evidence, purchase) === 'not-paid' ||
    purchase.attempts.some(
      // The service itself prevents a second payment with an invoice number.
      (later) => isSentWithOtherKey(later, request) && !isRefused(later, 'duplicate-invoice'),
    )
  );
}

function isSentWithOtherKey(later: StoredEntry, request: StoredEntry): boolean {
  return later.seq > request.seq && !hasSameKey(request, later);
}

/** Whether the client requested the same refund or capture again, so that the service could not recognize the repeat. */
export function isRepeatedWithOtherKey(evidence: Evidence, request: StoredEntry): boolean {
  const alike = requestsByRecordContent(evidence).get(recordContentOf(evidence, request)) ?? [];
  return alike.some((later) => isSentWithOtherKey(later, request));
}

/** Says that the lookups told the client nothing. */
export function describeFailedLookups({ count }: FailedLookups): string {
  return `The client tried ${formatTimes(count)} to find out, and no answer told it.`;
}
