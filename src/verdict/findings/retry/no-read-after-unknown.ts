import { authorizationState } from '../../../domain/payment/authorization.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { ReconciliationReads } from '../../client-knowledge/reconciliation.ts';
import { findRepeatPurchases } from '../../client-knowledge/repeat-purchase.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { findCharge } from '../../evidence/records.ts';
import type { AttemptGroup, OnceOnlyOperation } from '../../purchases/attempts.ts';
import { retainedMinorOf } from '../../purchases/net-amount.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds requests with an unknown outcome that the client neither retried nor looked up. */
export const noReadAfterUnknown: FindingRule = {
  id: 'no-read-after-unknown',
  severity: 'medium',
  about: 'After a lost or unreadable answer, the client neither retried nor looked up the result.',
  remedy:
    'Retry with the same PayPal-Request-Id or look the payment up, at once or in a nightly job.',
  needsWholeJournal: true,
  find: findAbandonedRequests,
};

function* findAbandonedRequests(evidence: Evidence): Generator<Detection> {
  // A client that tried to look has done what it could, even if the read failed.
  const lookups = new ReconciliationReads(evidence, () => true);
  // An order paid again in another way is reported by `double-charge`.
  const paidAgain = new Set(
    findRepeatPurchases(evidence).flatMap(({ isOneOrder, attempts }) =>
      isOneOrder ? attempts : [],
    ),
  );
  for (const group of evidence.attemptGroups) {
    const { operation, attempts } = group;
    const entry = onlyUnknown(attempts);
    if (entry === undefined || paidAgain.has(entry)) continue;
    if (lookups.hasReadAfter(operation, entry)) continue;
    // The same request id with another body is a retry, too.
    if (isKeyResentAfter(evidence, entry, entry)) continue;
    yield describe(entry, group, harmOf[operation]?.(evidence, entry) ?? 'possible');
  }
  for (const [id = '', attempts] of groupBy(evidence.of('auth.void'), recordIdIn)) {
    const entry = onlyUnknown(attempts);
    if (entry === undefined || lookups.hasReadAfter('auth.void', entry)) continue;
    const description = `the void of authorization ${id}`;
    const purchase = evidence.purchaseLookup.byRecord(id);
    yield describe(entry, { description, purchase }, harmOfMissingVoid(evidence, entry, id));
  }
}

/** What became of a customer's money: a sentence, `none` if nothing can be lost, or `possible`. */
type Harm = 'none' | 'possible' | { readonly text: string };

function describe(
  entry: StoredEntry,
  { description, purchase }: Pick<AttemptGroup, 'description' | 'purchase'>,
  harm: Harm,
): Detection {
  const retried =
    entry.requestId === undefined ? 'retried' : 'retried with the same PayPal-Request-Id';
  const words = `The client could not know whether the request for ${description} had succeeded, and it neither ${retried} nor looked it up.`;
  return {
    what: typeof harm === 'string' ? words : `${words} ${harm.text}`,
    evidence: [entry],
    purchase,
    confidence: 'likely',
    ...(harm === 'none' && { severity: 'low' }),
    ...(typeof harm !== 'string' && { severity: 'high' }),
  };
}

const harmOf: Partial<Record<OnceOnlyOperation, (evidence: Evidence, entry: StoredEntry) => Harm>> =
  {
    'card.create': () => 'none',
    'sale.refund': harmOfMissingRefund,
    'capture.refund': harmOfMissingRefund,
    'auth.capture': harmOfMissingCapture,
  };

/** A refund that was not made leaves the merchant with money of the customer, unless another refund returned it. */
function harmOfMissingRefund({ records }: Evidence, entry: StoredEntry): Harm {
  const charge = findCharge(records, recordIdIn(entry) ?? '');
  if (entry.committed || charge === undefined) return 'possible';
  return charge.refundedMinor === 0 && retainedMinorOf(charge) > 0
    ? { text: 'The refund was not made, so the customer has not been given the money back.' }
    : 'possible';
}

/** A capture that was not made leaves the merchant without money for what it may have shipped. */
function harmOfMissingCapture({ records, atMs }: Evidence, entry: StoredEntry): Harm {
  const authorization = records.authorizations.get(recordIdIn(entry) ?? '');
  if (entry.committed || authorization === undefined) return 'possible';
  return authorizationState(authorization, atMs) === 'authorized'
    ? {
        text: 'The capture was not made: the merchant does not have the money, and it is still on hold.',
      }
    : 'possible';
}

/** A void that was not made leaves money of the customer on hold. */
function harmOfMissingVoid({ records, atMs }: Evidence, entry: StoredEntry, id: string): Harm {
  const authorization = records.authorizations.get(id);
  if (entry.committed || authorization === undefined) return 'none';
  return authorizationState(authorization, atMs) === 'authorized'
    ? { text: "The authorization was not voided, so the customer's money is still on hold." }
    : 'none';
}

/** The only attempt, if it is over and its outcome is unknown. Other rules check retries. */
function onlyUnknown(attempts: readonly StoredEntry[]): StoredEntry | undefined {
  const [only] = attempts;
  if (only === undefined || attempts.length > 1) return undefined;
  return hasUnknownOutcome(only) && only.delivery.state !== 'open' ? only : undefined;
}
