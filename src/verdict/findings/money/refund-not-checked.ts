import type { OperationName } from '../../../contract/service/operation-name.ts';
import { dayMs } from '../../../domain/calendar.ts';
import type { Refund } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { isShownPending } from '../../client-knowledge/reads/pending-refunds.ts';
import {
  describeFailedLookups,
  failedLookupsAfter,
  lookAgainLater,
} from '../../client-knowledge/reads/failed-lookups.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq, firstAfter } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatDuration, formatMoney } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds refunds that were pending when the client first saw them and failed later, while it never asked again. */
export const refundNotChecked: FindingRule = {
  id: 'refund-not-checked',
  severity: 'high',
  about:
    'A pending refund failed later, and the client never asked what became of it: the buyer waits for money that does not come.',
  remedy:
    'Read a pending refund again until it is completed or failed. If it fails, return the money in another way.',
  find: findUncheckedRefunds,
};

/** Requests about a charge whose answers show the state of its refunds, or that refund it in another way. */
const chargeRequests: ReadonlySet<OperationName> = new Set([
  'sale.get',
  'sale.refunds',
  'sale.refund',
  'capture.get',
  'capture.refund',
]);
const refundReads: ReadonlySet<OperationName> = new Set(['refund.get']);
const refundLists: ReadonlySet<OperationName> = new Set(['sale.refunds']);
const paymentReads: ReadonlySet<OperationName> = new Set(['payment.get']);

/** How long a client may take to ask again. Some ask for all pending refunds once a week. */
const askAgainWithinMs = 7 * dayMs;

function* findUncheckedRefunds(evidence: Evidence): Generator<Detection> {
  for (const entry of evidence.of('sale.refund', 'capture.refund')) {
    const refund = evidence.records.refunds.get(entry.subject ?? '');
    if (refund?.settlement !== 'failed' || entry.replayed) continue;
    const shown = firstShownPending(evidence, entry, refund);
    if (shown === undefined) continue;
    const isStillPending = refund.updatedAtMs > evidence.atMs;
    const look = lastLook(evidence, refund);
    const hasAsked = look !== undefined && look.seq > shown.seq;
    if (hasAsked && (isStillPending || look.atMs >= refund.updatedAtMs)) continue;
    const end = isStillPending ? 'is still pending; it will fail' : 'failed later';
    const lookups = failedLookupsAfter(evidence, 'sale.refund', entry);
    const wentOnMs = (evidence.entries.at(-1) ?? entry).atMs - refund.updatedAtMs;
    const gaveUp = hasAsked && !lookups.wentOnToTheEnd && wentOnMs > askAgainWithinMs;
    const question = hasAsked
      ? `The client did not ask for it after that${gaveUp ? `, although it sent other requests for ${formatDuration(wentOnMs)}` : ''}.`
      : lookups.count === 0
        ? 'The client never asked what became of it.'
        : describeFailedLookups(lookups);
    yield {
      what: `The refund of ${formatMoney(refund.amount)} of ${refund.of.kind} ${refund.of.id} was pending when ${hasAsked ? 'the client last saw it' : shown === entry ? 'it was answered' : 'the client first saw it'}, and ${end}. ${question}`,
      evidence: [entry],
      purchase: evidence.purchaseLookup.byPayment(refund.paymentId),
      // The client may still ask, above all if it has asked before.
      ...(isStillPending || hasAsked
        ? { severity: gaveUp ? 'medium' : 'low', confidence: 'possible' }
        : lookups.wentOnToTheEnd
          ? { severity: 'low', confidence: 'possible', remedy: lookAgainLater }
          : { confidence: 'likely' }),
    };
  }
}

/**
 * The first answer that showed the client a refund, if it was pending then: the answer to its request or, if that was lost,
 * a repeat of it or a read.
 */
function firstShownPending(
  evidence: Evidence,
  entry: StoredEntry,
  { id, of, paymentId, updatedAtMs }: Refund,
): StoredEntry | undefined {
  if (isAnswerReceived(entry)) return isShownPending(evidence, entry) ? entry : undefined;
  const [first] = [
    repeats(evidence).get(id) ?? [],
    evidence.about(id, refundReads),
    evidence.about(of.id, refundLists),
    evidence.about(paymentId, paymentReads),
  ]
    .flatMap((entries) => firstAfter(received(entries), entry) ?? [])
    .toSorted(bySeq);
  return first !== undefined && (first.replayed || first.atMs < updatedAtMs) ? first : undefined;
}

/** The last answer that showed the client the state of a refund. */
function lastLook(evidence: Evidence, { id, of, paymentId }: Refund): StoredEntry | undefined {
  return [
    evidence.about(id, refundReads),
    evidence.about(of.id, chargeRequests),
    evidence.about(paymentId, paymentReads),
    evidence.of('payment.list'),
  ]
    .flatMap((entries) => received(entries).at(-1) ?? [])
    .toSorted(bySeq)
    .at(-1);
}

/** Requests whose answers the client received. Kept, because one sale may have thousands of refunds. */
const received = memoize((entries: readonly StoredEntry[]) => entries.filter(isAnswerReceived));

/** The repeats of requests to refund, by the id of the refund. */
const repeats = memoize((evidence: Evidence) =>
  groupBy(
    evidence.of('sale.refund', 'capture.refund').filter(({ replayed }) => replayed),
    ({ subject = '' }) => subject,
  ),
);
