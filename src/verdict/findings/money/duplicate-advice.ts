/** What a client should do after a request was carried out twice. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import { isDisclosedBefore } from '../../client-knowledge/disclosed-before-retry.ts';
import { isRecordReadBefore } from '../../client-knowledge/reads/reads-by-id.ts';
import { hasSameKey, isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import type { DriftedAmount } from '../../client-knowledge/changed-repeats/drifted-amount.ts';
import type { DuplicateConfidence } from '../../client-knowledge/duplicate-confidence.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { isRefund } from '../../evidence/exchange-results.ts';
import { partsApartMs } from '../../evidence/time-windows.ts';
import { formatDuration } from '../../phrases.ts';
import { weights, type Duplicates } from './duplicates.ts';
import { isForgotten, isIgnored, shownPending } from './explain-duplicate.ts';

/**
 * Advice for a client that sent the same request id with both requests: only reading could help. Others need the
 * remedy of the rule: for them it is `undefined`.
 */
export function adviseOnSameId({
  requests: [first, second],
  areDoubled,
}: Duplicates): string | undefined {
  return areDoubled ? reconcileLike(first) : adviseOnRetry(first, second);
}

/** The same advice for a request and its retry, if there are both. */
export function adviseOnRetry(
  first: StoredEntry | undefined,
  second: StoredEntry | undefined,
): string | undefined {
  if (first === undefined || second === undefined || !hasSameKey(first, second)) return undefined;
  return isForgotten(first, second) && !isIgnored(second)
    ? readBeforeLateRetry
    : reconcileLike(first);
}

/** The same, and advice for a client that knew of the first request and may have wanted both. */
export function adviseOnDuplicate(
  evidence: Evidence,
  duplicates: Duplicates,
  sureness: DuplicateConfidence,
): string | undefined {
  const [first, second] = duplicates.requests;
  const mayBeTwo =
    weights[sureness].confidence === 'possible' &&
    first !== undefined &&
    second !== undefined &&
    (sureness === 'unlikely' || !overlaps(first, second)) &&
    isDisclosedBefore(evidence, first, second);
  return (
    adviseOnSameId(duplicates) ??
    adviseOnPending(evidence, duplicates) ??
    (mayBeTwo
      ? adviseOnTwo(evidence, first, second, duplicates.requests.length)
      : adviseOnSeenRefund(evidence, first, second))
  );
}

/** Advice for a client that read the first refund, and made it again all the same. */
function adviseOnSeenRefund(
  evidence: Evidence,
  first: StoredEntry | undefined,
  second: StoredEntry | undefined,
): string | undefined {
  if (first === undefined || second === undefined || !isRefund(first.operation)) return undefined;
  if (!isRecordReadBefore(evidence, first, second)) return undefined;
  return 'Make the PayPal-Request-Id from the number of the case, so that a second request repeats the first. The client read the first refund before it made the second one: compare the refunds of a sale with the case.';
}

/** Advice on two equal things. Over sockets, a slow double click on one connection looks like two purchases in turn. */
function adviseOnTwo(
  evidence: Evidence,
  first: StoredEntry,
  second: StoredEntry,
  count: number,
): string {
  const mayBeDoubleClick =
    second.arrival !== undefined && gapMs(first, second) < evidence.serviceTimeMs;
  const advice = adviceOnNames(first, count, isRecordReadBefore(evidence, first, second));
  return mayBeDoubleClick
    ? `${advice} To test whether your code sends both at once, hold them at a gate (hold with count 2).`
    : advice;
}

/**
 * Advice for a client that may have wanted several equal things.
 *
 * @param hasRead Whether an answer between both had shown the client what was done.
 */
export function adviceOnNames({ operation }: StoredEntry, count = 2, hasRead = false): string {
  const look = hasRead ? '' : ', or read what is done before the second one';
  const wanted =
    operation === 'payment.create'
      ? 'an invoice_number, `custom` or description of its own'
      : `an invoice_number or a note of its own${look}`;
  return `If ${count > 2 ? 'all' : 'both'} were wanted, give each ${wanted}. If not, make the PayPal-Request-Id from the number of the order or case, so that a second request repeats the first.`;
}

/** Advice for a client that took something pending for a failure and requested it again. */
export function adviseOnPending(
  evidence: Evidence,
  { requests: [first], areDoubled }: Duplicates,
): string | undefined {
  const pending = first && !areDoubled ? shownPending(evidence, first) : undefined;
  return (
    pending &&
    `Pending is not failed. Read the ${pending} until it is ${pending === 'sale' ? 'completed or denied' : 'completed or failed'}, and request it again only then.`
  );
}

/** Advice for a client that paid an order again while its sale was pending. */
export const awaitSale =
  'Pending is not failed. Read the sale until it is completed or denied, and pay again only after a denial.';

/** Advice for a job that writes its run into each payment, so that a second one has another body. */
export const nameNoRun =
  'Leave the run and its time out of the body, so that it is the same each time.';

/** Advice for a client that may pay one order twice. */
export const oneIdPerOrder =
  'Create one PayPal-Request-Id per order, store it before the first attempt, and send it with every retry.';

/** The same advice for an order that was paid again much later, which may be paid in equal parts. */
export function adviseOnParts([first, second]: readonly StoredEntry[]): string | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (gapMs(first, second) < partsApartMs) return undefined;
  return `${oneIdPerOrder} If the order is paid in equal parts, such as nights or instalments, name the part in each description.`;
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

function reconcileLike(request: StoredEntry | undefined): string {
  return isRefund(request?.operation) ? reconcileRefunds : reconcileCharges;
}

type Amounts = DriftedAmount['amounts'];

function hasDrifted([one, other]: Amounts): boolean {
  return one?.amount.minor !== other?.amount.minor;
}

/** Says that two amounts differ a little, as a part of a sentence; empty if they are equal. */
export function describeDrift(amounts: Amounts): string {
  return hasDrifted(amounts) ? ' with almost the same amount' : '';
}

/** Advice for a client that calculated the amount again for a retry, or changed its words. */
export function adviseOnDrift(amounts: Amounts): string {
  return hasDrifted(amounts)
    ? 'Fix the amount before the first request, and send it with the same PayPal-Request-Id with every retry.'
    : 'Build the body of a refund or capture once, store it with its PayPal-Request-Id, and send both again with every retry.';
}

/** What a client can do about a duplicate charge that it did not cause. */
export const reconcileCharges =
  'The client could not prevent this duplicate. Compare your orders with the payments list regularly, and refund or void what was executed twice.';

/** The same for a duplicate refund. No request takes a refund back. */
export const reconcileRefunds =
  'The client could not prevent this duplicate. Compare your refunds with those that each sale lists regularly, and agree with the buyer on what was refunded twice.';

const readBeforeLateRetry = `The service forgets a PayPal-Request-Id after ${requestIdRetentionDays} days. Read the result of the first request before you retry later than that.`;

/** Advice for a client that sent a request again with its request id; `undefined` for others. */
export function adviseOnLostRetries(evidence: Evidence, request: StoredEntry): string | undefined {
  return isKeyResentAfter(evidence, request, request) ? lookUpAfterRetries : undefined;
}

const lookUpAfterRetries =
  'The retries with the same PayPal-Request-Id did not show the result either. Look it up after the last one, at once or in a nightly job.';
