import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { ReconciliationReads } from '../../client-knowledge/reads/reconciliation.ts';
import { isReversedBefore } from '../../client-knowledge/reversal.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { hasSameBody } from '../../evidence/request-content.ts';
import { amountOf } from '../../evidence/request-fields.ts';
import { capitalize, firstExamples, listWords, describePurchase } from '../../phrases.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds invoices that were requested with another amount although the first request may have charged the card. */
export const amountDrift: FindingRule = {
  id: 'amount-drift',
  severity: 'medium',
  about: 'A retry for one purchase had another amount.',
  remedy:
    'Fix the amount of an order before the first payment request, and send it with every retry.',
  find: findChangedAmounts,
};

function* findChangedAmounts(evidence: Evidence): Generator<Detection> {
  const lookups = new ReconciliationReads(evidence, isAnswerReceived);
  for (const purchase of evidence.purchases) {
    const { attempts } = purchase;
    // Most retries have the same body, so there is nothing to read.
    if (attempts.every((entry) => hasSameBody(entry, attempts[0]))) continue;
    if (!purchase.hasInvoiceNumber) continue;
    // After a decline or refusal nothing was charged, so the client may choose another amount.
    const from = attempts.findIndex(
      (entry, at) =>
        mayHaveCharged(evidence, purchase, entry) &&
        !isSettledBeforeChange(evidence, attempts.slice(at), lookups),
    );
    const byAmount = groupBy(from === -1 ? [] : attempts.slice(from), (entry) =>
      amountOf(evidence, entry),
    );
    if (byAmount.size < 2) continue;
    yield {
      what: `${capitalize(describePurchase(purchase))} was requested with different amounts: ${listWords(byAmount.keys())}.`,
      evidence: firstExamples([...byAmount.values()].flatMap(([first]) => first ?? [])),
      purchase,
    };
  }
}

/**
 * Whether the client knew that a request holds no money, before it sent another amount. It had seen that nothing was done,
 * or had voided or refunded what was.
 */
function isSettledBeforeChange(
  evidence: Evidence,
  [entry, ...later]: readonly StoredEntry[],
  lookups: ReconciliationReads,
): boolean {
  if (entry === undefined) return true;
  const amount = amountOf(evidence, entry);
  const change = later.find((next) => amountOf(evidence, next) !== amount);
  if (change === undefined) return false;
  if (entry.committed) return isReversedBefore(evidence, entry, change);
  // A payment that succeeded under the same number shows that this one did nothing.
  const isPaidLater = later.some(({ seq, concludes }) => seq < change.seq && concludes === 'OK');
  return isPaidLater || lookups.hasReadAfter('payment.create', entry, change.seq);
}

/**
 * Whether a request may have charged the card. A denied sale and a failed payment did not, although the request created
 * a record.
 */
function mayHaveCharged({ records }: Evidence, purchase: Purchase, entry: StoredEntry): boolean {
  if (!entry.committed) return hasUnknownOutcome(entry);
  if (records.payments.get(entry.subject ?? '')?.failed === true) return false;
  return !purchase.chargesBy([entry]).some(({ state }) => state === 'denied');
}
