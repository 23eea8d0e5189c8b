import { authorizationDays, authorizationState } from '../../../../domain/payment/authorization.ts';
import type { OperationName } from '../../../../contract/service/operation-name.ts';
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { isAnswerReceived } from '../../../client-knowledge/disclosure.ts';
import { capturesOf } from '../../../evidence/captures.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { createdIds } from '../../../evidence/exchange-results.ts';
import { capitalize, describePurchase, firstExamples, formatMoney } from '../../../phrases.ts';
import type { Detection, FindingRule } from '../../finding-rule.ts';
import { isGivenUp } from './left-holds.ts';

/**
 * Finds authorizations of which a part was captured, while the rest stayed on hold until they expired. One that was never
 * captured may have been replaced by another payment.
 */
export const holdLeftOpen: FindingRule = {
  id: 'hold-left-open',
  severity: 'medium',
  about:
    'A part of an authorization was captured, and the rest of the money stayed on hold until it expired.',
  remedy:
    'Send `is_final_capture` with the last capture of an authorization, or void what you do not capture.',
  needsWholeJournal: true,
  find: findHoldsLeftOpen,
};

function* findHoldsLeftOpen(evidence: Evidence): Generator<Detection> {
  for (const entry of evidence.authorizing) {
    for (const hold of expiredHoldsFrom(evidence, entry)) {
      if (isGivenUp(evidence, hold) || isLookedAtInTheEnd(evidence, hold)) continue;
      const purchase = evidence.purchaseLookup.byPayment(hold.paymentId);
      if (purchase === undefined) continue;
      yield {
        what: `${capitalize(describePurchase(purchase))} ${describeHold(hold)} until the authorization expired, ${authorizationDays} days after it was made.`,
        evidence: firstExamples([entry, ...capturesOf(evidence, hold.id)]),
        purchase,
        confidence: 'likely',
      };
    }
  }
}

/** The authorizations of a request that expired after a part was captured. */
function expiredHoldsFrom(
  { records: { payments, authorizations }, atMs }: Evidence,
  entry: StoredEntry,
): Authorization[] {
  return createdIds(entry).flatMap((id) => {
    const hold = authorizations.get(payments.get(id)?.related.first?.id ?? '');
    const isLeft =
      hold !== undefined && authorizationState(hold, atMs) === 'expired' && hold.capturedMinor > 0;
    return isLeft ? [hold] : [];
  });
}

const reads: ReadonlySet<OperationName> = new Set(['auth.get', 'payment.get']);

/** Whether the client saw that an authorization had expired, so that it did not forget it. */
function isLookedAtInTheEnd(evidence: Evidence, hold: Authorization): boolean {
  return [hold.id, hold.paymentId]
    .flatMap((id) => evidence.about(id, reads).at(-1) ?? [])
    .some((read) => read.atMs >= hold.validUntilMs && isAnswerReceived(read));
}

function describeHold({ amount, capturedMinor }: Authorization): string {
  const { currency } = amount;
  const captured = formatMoney({ minor: capturedMinor, currency });
  const left = formatMoney({ minor: amount.minor - capturedMinor, currency });
  return `was authorized for ${formatMoney(amount)}, and ${captured} was captured. The client did not release the other ${left}, so it stayed on hold`;
}
