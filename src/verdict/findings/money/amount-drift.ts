import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasSameBody, amountOf } from '../../evidence/request-fields.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { capitalize, describePurchase, firstExamples } from '../../phrases.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';

/** A retry of one purchase asked for another amount. */
export const amountDrift: FindingRule = {
  id: 'amount-drift',
  severity: 'medium',
  about: 'A retry of one purchase asked for another amount.',
  remedy: 'Fix the amount of a purchase before the first try.',
  find: amountDrifts,
};

function* amountDrifts(evidence: Evidence): Generator<Detection> {
  for (const purchase of evidence.purchases) {
    const { attempts } = purchase;
    // Nearly all that is sent again is sent as it was, and need not be read.
    if (attempts.every((entry) => hasSameBody(entry, attempts[0]))) continue;
    if (purchase.invoiceNumber === undefined) continue;
    // Whoever was declined, or refused, may ask for another amount: nothing was charged.
    const from = attempts.findIndex((entry) => mayHaveCharged(purchase, entry));
    const byAmount = groupBy(from === -1 ? [] : attempts.slice(from), (entry) =>
      amountOf(evidence, entry),
    );
    if (byAmount.size < 2) continue;
    yield {
      what: `${capitalize(describePurchase(purchase))} was asked for with different amounts: ${firstExamples(byAmount.keys()).join(', ')}.`,
      evidence: firstExamples([...byAmount.values()].flatMap(([first]) => first ?? [])),
      purchase,
    };
  }
}

/** One that an answer said was denied did not, though it made a record. */
function mayHaveCharged(purchase: Purchase, entry: StoredEntry): boolean {
  if (!entry.committed) return hasUnknownOutcome(entry);
  return !purchase.chargesBy([entry]).some(({ state }) => state === 'denied');
}
