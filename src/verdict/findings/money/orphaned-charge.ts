import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { formatMoney } from '../../phrases.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { Charge } from '../../purchases/charge.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import { recordIdIn, memoize } from '../../evidence/journal-index.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordWorkOf } from '../../evidence/request-fields.ts';
import { problems } from '../../../contract/problems.ts';

/** A card was charged and the client never learnt of it. */
export const orphanedCharge: FindingRule = {
  id: 'orphaned-charge',
  severity: 'critical',
  about: 'A card was charged and the client never learnt of it.',
  remedy:
    'After an answer that is lost or unreadable, repeat with the same PayPal-Request-Id or look the payment up.',
  needsWholeJournal: true,
  find: orphanedCharges,
};

/** Money that was taken, and of which no answer told the client. */
function* orphanedCharges(evidence: Evidence): Generator<Detection> {
  for (const charge of evidence.charges) {
    if (charge.known !== 'never' || charge.retainedMinor <= 0) continue;
    if (charge.isCapture && isSaidToBeCaptured(evidence, charge)) continue;
    const purchase = evidence.purchaseLookup.byPayment(charge.paymentId);
    const hint = charge.isCapture ? voidRefused(evidence, charge) : numberRefused(purchase, charge);
    const refused = charge.isCapture ? 'to void the authorization' : 'the invoice number as used';
    const known =
      hint === undefined
        ? `was never told: ${charge.id} stood in no answer`
        : `was never shown the id: an answer refused ${refused}, and ${charge.id} stood in none`;
    yield {
      what: `${formatMoney(charge.amount)} was taken and the client ${known} that reached it.`,
      evidence: hint === undefined ? [charge.entry] : [charge.entry, hint],
      purchase,
      ...(hint !== undefined && { severity: 'high', confidence: 'likely' }),
    };
  }
}

/** An answer that refused the invoice number, as a payment has it: whoever reads that may look for the payment. */
function numberRefused(purchase: Purchase | undefined, { entry }: Charge): StoredEntry | undefined {
  return refusedAfter(purchase?.attempts ?? [], entry, 'duplicate-invoice');
}

const voids: ReadonlySet<OperationName> = new Set(['auth.void']);

/** An answer that refused to void the authorization: by name for several reasons, and only its text says which. */
function voidRefused(evidence: Evidence, { entry }: Charge): StoredEntry | undefined {
  const tries = evidence.about(recordIdIn(entry) ?? '', voids);
  return refusedAfter(tries, entry, 'authorization-cannot-be-voided');
}

/** Captures that were refused, as nothing is left of the authorization, by what they asked for; each list in order. */
const refusedCaptures = memoize((evidence: Evidence) =>
  groupBy(
    evidence.of('auth.capture').filter((entry) => isRefused(entry, 'authorization-completed')),
    (entry) => recordWorkOf(evidence, entry),
  ),
);

/** Whether the same capture was refused later. */
function isSaidToBeCaptured(evidence: Evidence, { entry }: Charge): boolean {
  const last = refusedCaptures(evidence).get(recordWorkOf(evidence, entry))?.at(-1);
  return last !== undefined && last.seq > entry.seq;
}

/** The first of these that came later, and of which the client was told that it was refused for this. */
function refusedAfter(
  tries: readonly StoredEntry[],
  { seq }: StoredEntry,
  refusal: keyof typeof problems,
): StoredEntry | undefined {
  return tries.find((later) => later.seq > seq && isRefused(later, refusal));
}

/** Whether the client was told that it was refused for this. */
function isRefused({ problem, concludes }: StoredEntry, refusal: keyof typeof problems): boolean {
  return problem === problems[refusal].name && concludes === 'FAIL';
}
