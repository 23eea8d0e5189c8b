import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { ReconciliationReads } from '../../client-knowledge/reconciliation.ts';
import { findRepeatPurchases } from '../../client-knowledge/repeat-purchase.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
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
    yield describe(entry, group, operation === 'card.create');
  }
  for (const [id = '', attempts] of groupBy(evidence.of('auth.void'), recordIdIn)) {
    const entry = onlyUnknown(attempts);
    if (entry === undefined || lookups.hasReadAfter('auth.void', entry)) continue;
    const description = `the void of authorization ${id}`;
    yield describe(entry, { description, purchase: evidence.purchaseLookup.byRecord(id) }, true);
  }
}

/** A request that moves no money is less severe. */
function describe(
  entry: StoredEntry,
  { description, purchase }: Pick<AttemptGroup, 'description' | 'purchase'>,
  movesNoMoney: boolean,
): Detection {
  return {
    what: `The client could not know whether the request for ${description} had succeeded, and it neither retried nor looked it up.`,
    evidence: [entry],
    purchase,
    confidence: 'likely',
    ...(movesNoMoney && { severity: 'low' }),
  };
}

/** The only attempt, if it is over and its outcome is unknown. Other rules check retries. */
function onlyUnknown(attempts: readonly StoredEntry[]): StoredEntry | undefined {
  const [only] = attempts;
  if (only === undefined || attempts.length > 1) return undefined;
  return hasUnknownOutcome(only) && only.delivery.state !== 'open' ? only : undefined;
}
