import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { ReconciliationReads } from '../../client-knowledge/reconciliation.ts';
import { findRepeatPurchases } from '../../client-knowledge/repeat-purchase.ts';
import { isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';

/** After an answer that was lost or unreadable, the client neither repeated the request nor looked. */
export const noReadAfterUnknown: FindingRule = {
  id: 'no-read-after-unknown',
  severity: 'medium',
  about:
    'After an answer that was lost or unreadable, the client neither repeated the request nor looked.',
  remedy:
    'Repeat with the same PayPal-Request-Id or look the payment up, at once or in a nightly job.',
  needsWholeJournal: true,
  find: doubtsLeft,
};

function* doubtsLeft(evidence: Evidence): Generator<Detection> {
  // Whoever looked and was not answered has done what it could.
  const lookups = new ReconciliationReads(evidence, () => true);
  // Whoever pays for it with another card has asked again, and `double-charge` says so.
  const anew = new Set(
    findRepeatPurchases(evidence).flatMap(({ isOneOrder, attempts }) =>
      isOneOrder ? attempts : [],
    ),
  );
  for (const task of evidence.attemptGroups) {
    const { operation, attempts } = task;
    const doubt = doubtLeftBy(attempts);
    if (doubt === undefined || anew.has(doubt) || lookups.hasReadAfter(operation, doubt)) continue;
    // Whoever sent its id once more has asked again, be it with another body.
    if (isKeyResentAfter(evidence, doubt, doubt)) continue;
    yield leftInDoubt(doubt, task, operation === 'card.create');
  }
  for (const [id = '', attempts] of groupBy(evidence.of('auth.void'), recordIdIn)) {
    const doubt = doubtLeftBy(attempts);
    if (doubt === undefined || lookups.hasReadAfter('auth.void', doubt)) continue;
    const description = `the void of authorization ${id}`;
    yield leftInDoubt(doubt, { description, purchase: evidence.purchaseLookup.byRecord(id) }, true);
  }
}

/** What takes no money, and gives none back, is less of a loss. */
function leftInDoubt(
  doubt: StoredEntry,
  { description, purchase }: Pick<AttemptGroup, 'description' | 'purchase'>,
  isMoneyless: boolean,
): Detection {
  return {
    what: `Nobody could know whether ${description} had been carried out, and the client neither asked again nor looked.`,
    evidence: [doubt],
    purchase,
    confidence: 'likely',
    ...(isMoneyless && { severity: 'low' }),
  };
}

/** The only attempt, where it is over and told the client nothing. Repeats are judged by their request ids. */
function doubtLeftBy([only, ...others]: readonly StoredEntry[]): StoredEntry | undefined {
  if (only === undefined || others.length > 0) return undefined;
  return hasUnknownOutcome(only) && only.delivery.state !== 'open' ? only : undefined;
}
