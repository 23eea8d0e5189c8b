/** Retries that the service cannot recognize, because they lack the request id of the first request. */
import { formatMinor } from '../../../domain/money/money.ts';
import { canonicalAmount } from '../../../journal/query/canonical-amount.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { severities, type Severity } from '../../../contract/constants.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import {
  isDisclosedLongBefore,
  isDisclosedBefore,
} from '../../client-knowledge/disclosed-before-retry.ts';
import { shownIdsOf } from '../../client-knowledge/disclosure.ts';
import { isReadBefore } from '../../client-knowledge/reads/reads-by-id.ts';
import { hasSameKey, isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { ReconciliationReads } from '../../client-knowledge/reads/reconciliation.ts';
import { isReversedBefore } from '../../client-knowledge/reversal.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome, isRefused } from '../../evidence/exchange-results.ts';
import { areParallel } from '../../evidence/exchange-order.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { nameOtherParts } from '../../evidence/key-parts.ts';
import { duplicateSeverity, type AttemptGroup } from '../../purchases/attempts.ts';
import type { Detection } from '../finding-rule.ts';
import { adviceOnNames } from '../money/duplicate-advice.ts';
import { explainReturn } from '../money/duplicates.ts';

interface UnsafeRetry {
  readonly group: AttemptGroup;
  /** The first request: its outcome was unknown to the client. */
  readonly first: StoredEntry;
  readonly retry: StoredEntry;
  /** The client had already used the id of `first` for an earlier retry. */
  readonly keptIdBefore: boolean;
}

/** Finds unsafe retries: with a `new` request id, or with `none` on at least one of the two requests. */
export function* findUnsafeRetries(
  evidence: Evidence,
  requestId: 'new' | 'none',
): Generator<Detection> {
  for (const unsafe of unsafeRetries(evidence)) {
    const { group, first, retry } = unsafe;
    const bothHaveIds = first.requestId !== undefined && retry.requestId !== undefined;
    if ((requestId === 'new') !== bothHaveIds) continue;
    const end = explainReturn(evidence, group.attempts);
    yield {
      what: () =>
        `The request for ${group.description} was sent again ${describeRequestId(unsafe)}, although ${describeKnowledge(evidence, unsafe)}${end === undefined ? '' : ` ${end}`}`,
      evidence: [first, retry],
      purchase: group.purchase,
      ...weigh(evidence, unsafe, end !== undefined),
    };
  }
}

const unsafeRetries = memoize((evidence: Evidence): readonly UnsafeRetry[] => {
  // A refused read shows nothing, except a 404: it shows that there is no record.
  const lookups = new ReconciliationReads(
    evidence,
    ({ concludes, status }) => concludes === 'OK' || status === 404,
  );
  return evidence.retriedGroups
    .filter(({ attempts }) => attempts.some(hasUnknownOutcome))
    .flatMap((group) => [...unsafeRetriesOf(evidence, group, lookups)]);
});

function* unsafeRetriesOf(
  evidence: Evidence,
  group: AttemptGroup,
  lookups: ReconciliationReads,
): Generator<UnsafeRetry> {
  const seenIds = new Set<string>();
  let unknown: StoredEntry | undefined;
  let keptIdBefore = false;
  for (const entry of group.attempts) {
    const { requestId } = entry;
    if (unknown !== undefined && isReversedBefore(evidence, unknown, entry)) unknown = undefined;
    const isSafeRetry = unknown !== undefined && hasSameKey(unknown, entry);
    // Without an invoice number, a client that keeps its request ids uses them to tell similar purchases apart.
    const isOtherPurchase =
      !isSafeRetry &&
      unknown !== undefined &&
      !group.hasInvoiceNumber &&
      ((requestId !== undefined && seenIds.has(requestId)) ||
        isKeyResentAfter(evidence, unknown, entry) ||
        nameOtherParts(unknown, entry));
    if (requestId !== undefined) seenIds.add(requestId);
    const retried = isSafeRetry || isOtherPurchase ? undefined : unknown;
    if (retried !== undefined && isUnsafe(evidence, group, lookups, retried, entry)) {
      yield { group, first: retried, retry: entry, keptIdBefore };
    }
    if (hasUnknownOutcome(entry)) {
      keptIdBefore = isSafeRetry;
      if (!isSafeRetry || unknown?.committed !== true) unknown = entry;
    } else if (isConclusive(entry) && !isOtherPurchase) {
      unknown = undefined;
      keptIdBefore = false;
    }
  }
}

/** Whether a retry with another request id, or without one, may do the work twice. */
function isUnsafe(
  evidence: Evidence,
  group: AttemptGroup,
  lookups: ReconciliationReads,
  first: StoredEntry,
  retry: StoredEntry,
): boolean {
  if (retry.replayed || areParallel(first, retry)) return false;
  // A client that looked and saw that nothing was done may start over.
  const sawNothing = !first.committed && lookups.hasReadAfter(group.operation, first, retry.seq);
  return !sawNothing && !isTwinDeleted(evidence, group, first, retry);
}

/**
 * Whether a card was stored again, and the client found the twin and deleted one of both. A repeat of the second request may
 * have stored it.
 */
function isTwinDeleted(
  evidence: Evidence,
  { operation }: AttemptGroup,
  { subject: first = '' }: StoredEntry,
  { subject: second = '', requestId = '' }: StoredEntry,
): boolean {
  if (operation !== 'card.create') return false;
  const { cardDeletions } = evidence;
  if (cardDeletions.has(first)) return true;
  const isSecondDeleted = cardDeletions.has(second) || keysOfDeletedCards(evidence).has(requestId);
  return isSecondDeleted && shownCardIds(evidence).has(first);
}

/** Request ids by which cards were stored that were deleted later. */
const keysOfDeletedCards = memoize(
  (evidence: Evidence): ReadonlySet<string> =>
    new Set(
      evidence
        .of('card.create')
        .filter(({ subject = '' }) => evidence.cardDeletions.has(subject))
        .flatMap(({ requestId }) => requestId ?? []),
    ),
);

/** Ids of the cards that reads and lists showed to the client. */
const shownCardIds = memoize((evidence: Evidence) => shownIdsOf(evidence, 'card.list', 'card.get'));

/** Refusals that come before the service looks up what became of an earlier request. */
const earlyRefusals: ReadonlySet<number> = new Set([302, 401, 403, 408, 425, 429]);

/** Whether an answer also shows what became of the earlier requests. */
function isConclusive({ concludes, status }: StoredEntry): boolean {
  return concludes === 'OK' || (concludes === 'FAIL' && !earlyRefusals.has(status));
}

function describeRequestId({ first, retry }: UnsafeRetry): string {
  if (first.requestId === undefined) {
    return retry.requestId === undefined
      ? 'without a PayPal-Request-Id'
      : 'with a PayPal-Request-Id that the first request did not have';
  }
  return retry.requestId === undefined
    ? 'without the PayPal-Request-Id of the first request'
    : 'with a new PayPal-Request-Id';
}

function describeKnowledge(evidence: Evidence, { first, retry }: UnsafeRetry): string {
  if (first.committed && isDisclosedBefore(evidence, first, retry)) {
    return 'the client had been shown that the first request had succeeded.';
  }
  const end = first.committed ? ' It had succeeded.' : '';
  return `the client could not know whether the first request had succeeded.${end}`;
}

function weigh(
  evidence: Evidence,
  { group, first, retry, keptIdBefore }: UnsafeRetry,
  isReturned: boolean,
): Pick<Detection, 'severity' | 'confidence' | 'remedy'> {
  const { operation, hasInvoiceNumber } = group;
  const isKnownLong = isDisclosedLongBefore(evidence, first, retry);
  const isRead = isReadBefore(evidence, first, retry);
  const isKnown = isKnownLong || isRead;
  // A client that reads what is captured goes on with another part.
  const isOtherPart = isRead && operation === 'auth.capture';
  // Without an invoice number, this may be a second purchase of the same thing. The client keeps its request ids but sent
  // a new one, or it had already seen the result of the first request.
  if (!hasInvoiceNumber && (keptIdBefore || isKnown)) {
    return {
      severity: isKnownLong || isOtherPart ? 'low' : 'medium',
      confidence: 'possible',
      ...(isKnown && { remedy: adviceOnNames(first, 2, true) }),
    };
  }
  const severity = duplicateSeverity[operation];
  // The invoice number prevents a second payment. A charge that stays unknown is reported by `orphaned-charge`.
  if (hasInvoiceNumber && operation === 'payment.create') return { severity: 'low' };
  // So does the amount that was refunded, and the refusal tells the client.
  if (isRefused(retry, 'already-refunded')) return { severity: 'low' };
  // So does the end of the authorization. A refused repeat leaves the same amount captured once.
  if (operation === 'auth.capture' && isLastCapture(evidence, first)) return { severity: 'low' };
  // The client itself took the harm back.
  if (isReturned) return { severity: 'medium', confidence: 'likely' };
  // The first request did nothing, so only luck prevented the harm.
  return {
    severity: first.committed ? severity : oneStepMilder(severity),
    confidence: hasInvoiceNumber ? 'certain' : 'likely',
  };
}

/** Whether the service accepts no other capture after this one: it is final, or takes the whole amount. */
function isLastCapture(evidence: Evidence, capture: StoredEntry): boolean {
  const body = evidence.requestFieldsOf(capture);
  if (memberOf(body, 'is_final_capture') === true) return true;
  const whole = evidence.records.authorizations.get(recordIdIn(capture) ?? '')?.amount;
  const [total] = canonicalAmount(memberOf(body, 'amount'));
  return whole !== undefined && total === formatMinor(whole.minor, whole.currency);
}

function oneStepMilder(severity: Severity): Severity {
  return severities[severities.indexOf(severity) + 1] ?? severity;
}
