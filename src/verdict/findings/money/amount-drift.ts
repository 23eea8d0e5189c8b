import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { amountOf, hasSameBody } from '../../evidence/request-fields.ts';
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
  for (const purchase of evidence.purchases) {
    const { attempts } = purchase;
    // Most retries have the same body, so there is nothing to read.
    if (attempts.every((entry) => hasSameBody(entry, attempts[0]))) continue;
    if (!purchase.hasInvoiceNumber) continue;
    // After a decline or refusal nothing was charged, so the client may choose another amount.
    const from = attempts.findIndex((entry) => mayHaveCharged(evidence, purchase, entry));
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
 * Whether a request may have charged the card. A denied sale and a failed payment did not, although the request created
 * a record.
 */
function mayHaveCharged({ records }: Evidence, purchase: Purchase, entry: StoredEntry): boolean {
  if (!entry.committed) return hasUnknownOutcome(entry);
  if (records.payments.get(entry.subject ?? '')?.failed === true) return false;
  return !purchase.chargesBy([entry]).some(({ state }) => state === 'denied');
}
