/** Money that was put on hold several times for one order. */
import type { OperationName } from '../../../../contract/service/operation-name.ts';
import { dayMs } from '../../../../domain/calendar.ts';
import { duplicateConfidence } from '../../../client-knowledge/duplicate-confidence.ts';
import { capturesOf, isCapturedAfter } from '../../../evidence/captures.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../../evidence/exchange-order.ts';
import { groupBy } from '../../../evidence/group-by.ts';
import { capitalize, firstExamples, formatTimes } from '../../../phrases.ts';
import type { Detection } from '../../finding-rule.ts';
import { adviseOnDuplicate } from '../duplicate-advice.ts';
import { findDuplicates, weights, type Duplicates } from '../duplicates.ts';
import { describeOpenHolds, openHoldsFrom } from './held-money.ts';
import { keptCharges } from './kept-money.ts';
import { explainRepeat, findPaymentGroups } from './payment-groups.ts';

const voids: ReadonlySet<OperationName> = new Set(['auth.void']);

/**
 * An order for which money was put on hold more than once, and not all of it was captured or released.
 *
 * Money on hold comes back by itself, so this is less severe than a second charge.
 */
export function* findRepeatedHolds(evidence: Evidence): Generator<Detection> {
  if (evidence.authorizing.size === 0) return;
  for (const group of findPaymentGroups(evidence)) {
    const { attempts } = group;
    const holds = attempts.flatMap((entry) => openHoldsFrom(evidence, entry));
    if (holds.length === 0) continue;
    const charges = attempts.flatMap((entry) => keptCharges(evidence.chargesFrom(entry)));
    const charged = groupBy(charges, ({ paymentId }) => paymentId);
    // Two payments that took money are reported as such.
    if (charged.size > 1 || charged.size + holds.length < 2) continue;
    const ids = new Set([...charged.keys(), ...holds.map(({ paymentId }) => paymentId)]);
    const duplicates = findDuplicates(attempts, (id) => ids.has(id));
    const repeated = duplicateConfidence(evidence, group, ids);
    if (repeated === 'unlikely') continue;
    const isRenewed = repeated === 'likely' && mayBeRenewed(evidence, duplicates);
    const sureness = isRenewed ? 'possible' : repeated;
    const givenUp = holds.filter(({ id }) => isGivenUp(evidence, id));
    const wantsOne = ids.size - givenUp.length < 2;
    const isVoidMissing = givenUp.some(({ id }) => evidence.about(id, voids).length === 0);
    const story = wantsOne ? (isVoidMissing ? captureRefused : voidFailed) : isRenewed && renewed;
    yield {
      what: () =>
        [
          `${capitalize(group.description)} was authorized ${formatTimes(ids.size)}, and ${describeOpenHolds(holds)} still on hold.`,
          explainRepeat(evidence, group, duplicates),
          ...(story ? [story.what] : []),
        ].join(' '),
      evidence: firstExamples(duplicates.requests),
      purchase: group.purchase,
      ...weights[sureness],
      severity: wantsOne || sureness === 'possible' ? 'medium' : 'high',
      remedy: story
        ? story.remedy
        : (adviseOnDuplicate(evidence, duplicates, sureness) ??
          'Send one PayPal-Request-Id per order with every retry, and void each authorization that you do not capture.'),
    };
  }
}

const voidFailed = {
  what: 'The client asked to void the others, but that failed.',
  remedy: 'Read an authorization after its void has failed, and void it again until it is voided.',
};

const captureRefused = {
  what: 'The client could not capture the others: that was refused.',
  remedy: 'Void an authorization whose capture was refused before you authorize the order again.',
};

const renewed = {
  what: 'The client may have renewed the authorization, and let the first one expire.',
  remedy:
    'If you renew an authorization, void the one that it replaces: until that expires, the money is on hold twice. If not, make the PayPal-Request-Id from the number of the order, so that a second request repeats the first.',
};

/** An authorization is honoured for three days, so a client may renew it in the last one of them. */
const renewedAfterMs = 2 * dayMs;

/** Whether each hold may replace the one before, which was not captured since then. */
function mayBeRenewed(evidence: Evidence, { requests, areDoubled }: Duplicates): boolean {
  return (
    !areDoubled &&
    consecutivePairs(requests).every(
      ([before, next]) =>
        gapMs(before, next) >= renewedAfterMs && !isCapturedAfter(evidence, before, next),
    )
  );
}

/** Whether the client asked to void a hold, or learned that it cannot be captured. */
function isGivenUp(evidence: Evidence, authorizationId: string): boolean {
  return (
    evidence.about(authorizationId, voids).length > 0 ||
    capturesOf(evidence, authorizationId).some(({ concludes }) => concludes === 'FAIL')
  );
}
