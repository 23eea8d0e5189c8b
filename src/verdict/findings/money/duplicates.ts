/** What the rules about duplicate charges and duplicate refunds share. */
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import { isDisclosedBefore } from '../../client-knowledge/disclosed-before-retry.ts';
import type { DuplicateConfidence } from '../../client-knowledge/duplicate-confidence.ts';
import type { ParallelAttempts } from '../../client-knowledge/parallel/parallel-attempts.ts';
import {
  createdIds,
  hasForcedEffect,
  isRefund,
  saleStateIn,
} from '../../evidence/exchange-results.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { isNamedPart } from '../../evidence/request-fields.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { formatDuration } from '../../phrases.ts';
import type { Detection } from '../finding-rule.ts';

/** Severity and confidence of a duplicate, by how sure it is that the client wanted it once. */
export const weights: Readonly<
  Record<DuplicateConfidence, Pick<Detection, 'severity' | 'confidence'>>
> = {
  certain: {},
  'near-certain': { confidence: 'likely' },
  likely: { severity: 'high', confidence: 'likely' },
  // The purchase has no name and the client understood every answer, so it may have wanted two.
  possible: { severity: 'medium', confidence: 'possible' },
  unlikely: { severity: 'low', confidence: 'possible' },
};

/** Whether attempts can have been executed twice. A single request is executed twice only by a forced outcome. */
export function canBeDuplicate(attempts: readonly StoredEntry[]): boolean {
  return attempts.length > 1 || attempts[0]?.twin !== undefined;
}

/** A test that means two days or months, and forgot to move the clock, makes both runs within this time. */
const stillClockMs = 60_000;

/** Advice about a job that ran twice. It names the clock, if little or no time passed on it between both runs. */
export function adviseOnSecondRun(remedy: string, first: StoredEntry, again: StoredEntry): string {
  const passedMs = again.atMs - first.atMs;
  if (passedMs >= stillClockMs) return remedy;
  const passed = passedMs === 0 ? 'no time' : `only ${formatDuration(passedMs)}`;
  return `${remedy} On the merchant's clock, ${passed} passed between both runs. If the test means two days or months, advance the clock between them, for example with merchant.clock.advance('P1D').`;
}

/** Ids of the refunds that a request created. A failed refund returned no money, so it may be sent again. */
export function refundsCreatedBy({ records }: Evidence, entry: StoredEntry): string[] {
  return createdIds(entry).filter((id) => records.refunds.get(id)?.settlement !== 'failed');
}

/** The requests that made duplicates. */
export interface Makers {
  readonly makers: readonly StoredEntry[];
  /** Whether something on the way sent each of them again, so that the client did not cause the duplicates. */
  readonly areDoubled: boolean;
}

/**
 * Finds the requests that something on the way sent again, if there are any: the others are no duplicates of them. A
 * client that refunded the second record of such a request found it, and knows of both.
 *
 * @param counts Whether a record is one of the duplicates.
 */
export function findMakers(
  attempts: readonly StoredEntry[],
  counts: (id: string) => boolean,
): Makers {
  const makers = attempts.filter((entry) => createdIds(entry).some(counts));
  const doubled = makers.filter(({ twin }) => twin !== undefined && counts(twin));
  return doubled.length > 0 ? { makers: doubled, areDoubled: true } : { makers, areDoubled: false };
}

/**
 * Says why a request was executed twice: what became of the first answer, and the request id of the second request.
 *
 * @param parallel Requests of the client that were sent at once.
 */
export function explainDuplicate(
  evidence: Evidence,
  { makers, areDoubled }: Makers,
  parallel: ParallelAttempts,
): string {
  const [first, second] = makers;
  if (areDoubled) {
    return second === undefined
      ? "The client sent one request, and something on the way to the service sent it again, so it was executed twice. This was not the client's doing."
      : "Something on the way to the service sent each request again, so each was executed twice. This was not the client's doing.";
  }
  if (first === undefined || second === undefined) return '';
  if (parallel.entries.includes(first) && parallel.entries.includes(second)) {
    return `${describeParallel(makers, parallel)}, and the second request ${describeRequestId(first, second)}.`;
  }
  const isKnown = isDisclosedBefore(evidence, first, second);
  const shown =
    isKnown && first.concludes !== 'OK'
      ? ', but another answer had shown that it had succeeded'
      : '';
  return `${describeAnswer(evidence, first, second)}${shown}, and the ${isKnown ? 'second request' : 'retry'} ${describeRequestId(first, second)}.`;
}

/** Why refunds or captures that were answered one after the other count as one: the note that names a case or part. */
export function explainPartName(
  evidence: Evidence,
  [first, second]: readonly StoredEntry[],
): string {
  if (first?.concludes !== 'OK' || second === undefined || overlaps(first, second)) return '';
  const isNamed = [first, second].every((entry) => isNamedPart(evidence, entry));
  return isNamed ? ' Both notes name the same case or part of the order.' : '';
}

/** Says that requests overlapped, or why they count as sent at once. A gate may hold the first one for seconds. */
function describeParallel(
  makers: readonly StoredEntry[],
  { entries, isAssumed }: ParallelAttempts,
): string {
  const together = makers.filter((entry) => entries.includes(entry));
  const [first, ...others] = together;
  const length = first === undefined ? 0 : gapMs(first, others.at(-1) ?? first);
  const duration = formatDuration(length);
  if (others.length === 1) {
    return isAssumed
      ? `Both requests were sent ${duration} apart on different connections, which counts as sent at once`
      : `Both requests were open at the same time, sent ${duration} apart`;
  }
  return isAssumed
    ? `The client sent ${together.length} requests within ${duration} on different connections, which counts as sent at once`
    : `The client had ${together.length} requests open at the same time, sent within ${duration}`;
}

/**
 * Says what became of an answer.
 *
 * @param answer What to call it.
 */
export function describeAnswer(
  evidence: Evidence,
  first: StoredEntry,
  second: StoredEntry,
  answer = 'first answer',
): string {
  const { delivery, concludes, status } = first;
  if (delivery.state === 'cut') return `The ${answer} was cut short`;
  if (delivery.state === 'lost') {
    return delivery.clientLeft
      ? `The client stopped waiting for the ${answer}`
      : `The ${answer} was lost`;
  }
  if (overlaps(first, second)) return 'The first request was still open';
  const pending = shownPending(evidence, first);
  if (pending !== undefined) return `The ${answer} showed a ${pending} that was still pending`;
  if (concludes === 'OK') return `The ${answer} was delivered`;
  return status < 300 ? `The ${answer} was unreadable` : `The ${answer} was ${status}`;
}

/** What an answer that the client received shows as pending, if it does. */
function shownPending(evidence: Evidence, entry: StoredEntry): 'sale' | 'refund' | undefined {
  if (entry.concludes !== 'OK') return undefined;
  const answer = evidence.answerOf(entry);
  if (entry.operation === 'payment.create') {
    return saleStateIn(answer) === 'pending' ? 'sale' : undefined;
  }
  return memberOf(answer, 'state') === 'pending' ? 'refund' : undefined;
}

/** Advice for a client that took something pending for a failure and requested it again. */
function adviseOnPending(
  evidence: Evidence,
  { makers: [first], areDoubled }: Makers,
): string | undefined {
  const pending = first && !areDoubled ? shownPending(evidence, first) : undefined;
  return (
    pending &&
    `Pending is not failed. Read the ${pending} until it is ${pending === 'sale' ? 'completed or denied' : 'completed or failed'}, and request it again only then.`
  );
}

/** What the second of two requests did about the request id of the first, as the end of a sentence. */
export function describeRequestId(first: StoredEntry, second: StoredEntry): string {
  if (second.requestId === undefined) return 'had no PayPal-Request-Id';
  if (first.requestId === undefined) return 'was the first with a PayPal-Request-Id';
  if (first.requestId !== second.requestId) return 'used a new PayPal-Request-Id';
  if (isIgnored(second)) {
    return "used the same PayPal-Request-Id, which the service ignored. This was not the client's doing";
  }
  return isForgotten(first, second)
    ? 'came after the service had forgotten its PayPal-Request-Id'
    : 'was executed although it used the same PayPal-Request-Id';
}

/**
 * Advice for a client that sent the same request id with both requests: only reading could help. Others need the
 * remedy of the rule: for them it is `undefined`.
 */
export function adviseOnSameId({
  makers: [first, second],
  areDoubled,
}: Makers): string | undefined {
  return areDoubled ? reconcileLike(first) : adviseOnRetry(first, second);
}

/** The same advice for a request and its retry, if there are both. */
export function adviseOnRetry(
  first: StoredEntry | undefined,
  second: StoredEntry | undefined,
): string | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (first.requestId === undefined || first.requestId !== second.requestId) return undefined;
  return isForgotten(first, second) && !isIgnored(second)
    ? readBeforeLateRetry
    : reconcileLike(first);
}

/** The same, and advice for a client that knew of the first request and may have wanted both. */
export function adviseOnDuplicate(
  evidence: Evidence,
  duplicates: Makers,
  sureness: DuplicateConfidence,
): string | undefined {
  const [first, second] = duplicates.makers;
  const mayBeTwo =
    weights[sureness].confidence === 'possible' &&
    first !== undefined &&
    second !== undefined &&
    !overlaps(first, second) &&
    isDisclosedBefore(evidence, first, second);
  return (
    adviseOnSameId(duplicates) ??
    adviseOnPending(evidence, duplicates) ??
    (mayBeTwo ? adviseOnTwo(evidence, first, second) : undefined)
  );
}

/** Advice on two equal things. Over sockets, a slow double click on one connection looks like two purchases in turn. */
function adviseOnTwo({ serviceTimeMs }: Evidence, first: StoredEntry, second: StoredEntry): string {
  const mayBeDoubleClick = second.arrival !== undefined && gapMs(first, second) < serviceTimeMs;
  return mayBeDoubleClick
    ? `${adviceOnNames(first)} To test whether your code sends both at once, hold them at a gate (hold with count 2).`
    : adviceOnNames(first);
}

/** Advice for a client that may have wanted two equal things. */
export function adviceOnNames({ operation }: StoredEntry): string {
  const wanted =
    operation === 'payment.create'
      ? 'an invoice_number, `custom` or description of its own'
      : 'an invoice_number or a note of its own, or read what is done before the second one';
  return `If both were wanted, give each ${wanted}. If not, make the PayPal-Request-Id from the number of the order or case, so that a second request repeats the first.`;
}

/** The first later request that was executed although it had the request id of `first`. */
export function findExecutedAgain(
  entries: readonly StoredEntry[],
  { seq, requestId }: StoredEntry,
): StoredEntry | undefined {
  if (requestId === undefined) return undefined;
  return entries.find(
    (later) => later.seq > seq && later.requestId === requestId && createdIds(later).length > 0,
  );
}

/** Whether the service executed a request although it had its request id: an outcome was forced. */
function isIgnored(entry: StoredEntry): boolean {
  return hasForcedEffect(entry, 'ignore-request-id');
}

function reconcileLike(request: StoredEntry | undefined): string {
  return isRefund(request?.operation) ? reconcileRefunds : reconcileCharges;
}

/** Advice for a client that calculated the amount again for a retry. */
export const fixedAmount =
  'Fix the amount before the first request, and send it with the same PayPal-Request-Id with every retry.';

/** What a client can do about a duplicate charge that it did not cause. */
export const reconcileCharges =
  'The client could not prevent this duplicate. Compare your orders with the payments list regularly, and refund what was executed twice.';

/** The same for a duplicate refund. No request takes a refund back. */
export const reconcileRefunds =
  'The client could not prevent this duplicate. Compare your refunds with those that each sale lists regularly, and agree with the buyer on what was refunded twice.';

const readBeforeLateRetry = `The service forgets a PayPal-Request-Id after ${requestIdRetentionDays} days. Read the result of the first request before you retry later than that.`;

function isForgotten(first: StoredEntry, second: StoredEntry): boolean {
  return gapMs(first, second) >= requestIdRetentionDays * dayMs;
}
