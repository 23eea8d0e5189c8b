/** Says why a request was carried out twice: what became of its answer, and which request id each request had. */
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import { hasSameKey, isRepeatedInProgress } from '../../client-knowledge/idempotency-keys.ts';
import { isDisclosedBefore } from '../../client-knowledge/disclosed-before-retry.ts';
import type { ParallelAttempts } from '../../client-knowledge/parallel/parallel-attempts.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { hasForcedEffect, isAnsweredOddly, saleStateIn } from '../../evidence/exchange-results.ts';
import { isNamedPart } from '../../evidence/orders/order-names.ts';
import { formatDuration } from '../../phrases.ts';
import type { Duplicates } from './duplicates.ts';

/**
 * Says why a request was executed twice: what became of the first answer, and the request id of the second request.
 *
 * @param parallel Requests of the client that were sent at once.
 */
export function explainDuplicate(
  evidence: Evidence,
  { requests, areDoubled }: Duplicates,
  parallel: ParallelAttempts,
): string {
  const [first, second] = requests;
  if (areDoubled) {
    return second === undefined
      ? "The client sent one request, and something on the way to the service sent it again, so it was executed twice. This was not the client's doing."
      : "Something on the way to the service sent each request again, so each was executed twice. This was not the client's doing.";
  }
  if (first === undefined || second === undefined) return '';
  if (parallel.executed.includes(first) && parallel.executed.includes(second)) {
    const isResent = !parallel.executed.every((entry) => parallel.entries.includes(entry));
    const resent = isResent ? '. One of them failed and was sent again' : '';
    return `${describeParallel(requests, parallel)}${resent}, and the second request ${describeRequestId(first, second)}.`;
  }
  const isKnown = isDisclosedBefore(evidence, first, second);
  const shown =
    isKnown && first.concludes !== 'OK'
      ? ', but another answer had shown that it had succeeded'
      : '';
  return `${describeAnswer(evidence, first, second)}${shown}, and the ${isKnown ? 'second request' : 'retry'} ${describeRequestId(first, second)}.`;
}

/** Why refunds or captures of which the client knew the first count as one: the note that names a case or part. */
export function explainPartName(evidence: Evidence, requests: readonly StoredEntry[]): string {
  const [first, second] = requests;
  if (first === undefined || second === undefined) return '';
  if (!isDisclosedBefore(evidence, first, second)) return '';
  const isNamed = [first, second].every((entry) => isNamedPart(evidence, entry));
  if (!isNamed) return '';
  return ` ${requests.length > 2 ? 'All' : 'Both'} notes name the same case or part of the order.`;
}

/** Says of requests that were made again that one job made them, perhaps with others that were not. */
export function describeJob(count: number): string {
  return `${count === 1 ? 'It looks like part of' : 'Together they look like'} one job that ran twice`;
}

/** Says that requests overlapped, or why they count as sent at once. A gate may hold the first one for seconds. */
function describeParallel(
  requests: readonly StoredEntry[],
  { entries, isAssumed }: ParallelAttempts,
): string {
  const ofRequests = entries.filter((entry) =>
    requests.some((request) => request === entry || hasSameKey(request, entry)),
  );
  const together = ofRequests.length > 1 ? ofRequests : entries;
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
  if (isRepeatedInProgress(evidence, first, second)) {
    return 'A repeat of the first request was answered that it was in progress';
  }
  if (isAnsweredOddly(first)) return `The ${answer} was delivered in an unusual form`;
  if (concludes === 'OK') return `The ${answer} was delivered`;
  return status < 300 ? `The ${answer} was unreadable` : `The ${answer} was ${status}`;
}

/** What an answer that the client received shows as pending, if it does. */
export function shownPending(
  evidence: Evidence,
  entry: StoredEntry,
): 'sale' | 'refund' | undefined {
  if (entry.concludes !== 'OK') return undefined;
  const answer = evidence.answerOf(entry);
  if (entry.operation === 'payment.create') {
    return saleStateIn(answer) === 'pending' ? 'sale' : undefined;
  }
  return memberOf(answer, 'state') === 'pending' ? 'refund' : undefined;
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

/** Whether the service executed a request although it had its request id: an outcome was forced. */
export function isIgnored(entry: StoredEntry): boolean {
  return hasForcedEffect(entry, 'ignore-request-id');
}

/** Why a request that nothing showed was executed at all, if the service ignored its request id. */
export function explainIgnoredId(entry: StoredEntry): string {
  return isIgnored(entry)
    ? " The service ignored its PayPal-Request-Id, which an earlier request had. This was not the client's doing."
    : '';
}

/** Whether the service had forgotten the request id of a request when a later one came. */
export function isForgotten(first: StoredEntry, second: StoredEntry): boolean {
  return gapMs(first, second) >= requestIdRetentionDays * dayMs;
}
