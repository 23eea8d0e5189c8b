/**
 * Had the client learned, before it sent the same request again, that the first one succeeded?
 *
 * The answer to the first request settles it. If that answer was lost, another answer may have shown the record: a read,
 * a list, or the answer to a different request.
 */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memoize } from '../../shared/memoize.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs, indexAfter } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { idsWithRelated } from '../evidence/records.ts';
import { sameIntentWindowMs } from '../evidence/time-windows.ts';
import type { OnceOnlyOperation } from '../purchases/attempts.ts';
import { firstDisclosures, impliedIds, isAnswerReceived, refundsOfCharge } from './disclosure.ts';
import { refundableReads } from './reads/reads-by-id.ts';

/** Whether any answer disclosed, before `retry` was sent, that `first` had been carried out. */
export function isDisclosedBefore(
  evidence: Evidence,
  first: StoredEntry,
  retry: StoredEntry,
): boolean {
  if (first.concludes === 'OK') return true;
  const disclosed = firstDisclosureSeqs(evidence);
  if (disclosed.size === 0) return false;
  return idsFrom(evidence, first).some((id) => (disclosed.get(id) ?? Infinity) < retry.seq);
}

/** The same, if so much time lies between both requests that the client may want a second one. */
export function isDisclosedLongBefore(
  evidence: Evidence,
  first: StoredEntry,
  retry: StoredEntry,
): boolean {
  return gapMs(first, retry) > sameIntentWindowMs && isDisclosedBefore(evidence, first, retry);
}

/**
 * Whether the answer that first disclosed the success of `first` came shortly before `retry`. Then the client probably sent
 * `retry` because it had looked and did not recognize what it saw.
 */
export function isDisclosedJustBefore(
  evidence: Evidence,
  first: StoredEntry,
  retry: StoredEntry,
): boolean {
  if (first.concludes === 'OK') return false;
  const disclosed = firstDisclosureSeqs(evidence);
  const seq = Math.min(...idsFrom(evidence, first).map((id) => disclosed.get(id) ?? Infinity));
  const answer = evidence.entries[indexAfter(evidence.entries, seq - 1)];
  return answer?.seq === seq && seq < retry.seq && gapMs(answer, retry) <= sameIntentWindowMs;
}

/** `seq` of the first answer that showed each record, for records whose own answer did not. */
const firstDisclosureSeqs = memoize((evidence: Evidence): ReadonlyMap<string, number> => {
  const firstSeqs = new Map<string, number>();
  for (const [id, { seq }] of firstDisclosures(evidence)) noteFirst(firstSeqs, id, seq);
  const refunds = undisclosedIds(evidence, ['sale.refund', 'capture.refund']);
  for (const [id, seq] of firstRefundDisclosures(evidence, refunds)) noteFirst(firstSeqs, id, seq);
  noteShown(evidence, undisclosedIds(evidence, ['card.create']), showCards, firstSeqs);
  return firstSeqs;
});

/** `seq` of the first answer that showed each refund, by its id or by the state of its sale or capture. */
export function firstRefundDisclosures(
  evidence: Evidence,
  refundIds: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const firstSeqs = new Map<string, number>();
  noteShown(evidence, refundIds, showRefunds, firstSeqs);
  noteImpliedRefunds(evidence, refundIds, firstSeqs);
  return firstSeqs;
}

/** Operations whose answers hold ids of refunds. */
const showRefunds = [
  'sale.refund',
  'capture.refund',
  'refund.get',
  'sale.refunds',
  'payment.get',
  'payment.list',
] as const satisfies readonly OperationName[];

/** Operations whose answers hold ids of cards. */
const showCards = [
  'card.create',
  'card.get',
  'card.list',
] as const satisfies readonly OperationName[];

/** Ids of refunds or cards whose request was retried because its own answer did not disclose them. */
function undisclosedIds(
  evidence: Evidence,
  operations: readonly OnceOnlyOperation[],
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { operation, attempts } of evidence.retriedGroups) {
    if (!operations.includes(operation)) continue;
    for (const entry of attempts) {
      if (entry.concludes === 'OK') continue;
      for (const id of createdIds(entry)) ids.add(id);
    }
  }
  return ids;
}

/** Ids that disclose what a request created: for a payment also its sale or authorization. */
function idsFrom({ records }: Evidence, entry: StoredEntry): string[] {
  return createdIds(entry).flatMap((id) => idsWithRelated(id, records));
}

function noteFirst(firstSeqs: Map<string, number>, id: string, seq: number): void {
  if (seq < (firstSeqs.get(id) ?? Infinity)) firstSeqs.set(id, seq);
}

/** Notes the answers that hold the id itself. */
function noteShown(
  evidence: Evidence,
  ids: ReadonlySet<string>,
  operations: readonly OperationName[],
  firstSeqs: Map<string, number>,
): void {
  if (ids.size === 0) return;
  for (const entry of evidence.of(...operations)) {
    if (!isAnswerReceived(entry)) continue;
    for (const text of entry.shownIds) {
      const id = restoreId(text);
      if (ids.has(id)) noteFirst(firstSeqs, id, entry.seq);
    }
  }
}

/** Notes the reads of a sale or capture whose state implies its refunds. */
function noteImpliedRefunds(
  evidence: Evidence,
  refundIds: ReadonlySet<string>,
  firstSeqs: Map<string, number>,
): void {
  const refunded = [...refundIds].flatMap((id) => evidence.records.refunds.get(id)?.of.id ?? []);
  for (const chargeId of new Set(refunded)) {
    for (const read of evidence.about(chargeId, refundableReads)) {
      if (!isAnswerReceived(read)) continue;
      for (const id of impliedIds(read, refundsOfCharge, evidence)) {
        noteFirst(firstSeqs, id, read.seq);
      }
    }
  }
}
