import type { Authorization } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import {
  describeFailedLookups,
  failedLookupsAfter,
  isPaymentTakenAsFailed,
  lookAgainLater,
  type FailedLookups,
} from '../../client-knowledge/reads/failed-lookups.ts';
import { firstDisclosures, isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { ReconciliationReads } from '../../client-knowledge/reads/reconciliation.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { firstAfter } from '../../evidence/exchange-order.ts';
import { createdIds, isRefused } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { recordContentOf } from '../../evidence/request-content.ts';
import { formatTime, formatMoney, describePurchase } from '../../phrases.ts';
import type { Charge } from '../../purchases/charge.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { adviseOnLostRetries, adviseOnRetry, reconcileCharges } from './duplicate-advice.ts';
import { findExecutedAgain } from './duplicates.ts';
import { describeRequestId, explainIgnoredId, isIgnored } from './explain-duplicate.ts';

/** Finds charges that still hold money, and open authorizations, whose ids no answer disclosed to the client. */
export const orphanedCharge: FindingRule = {
  id: 'orphaned-charge',
  severity: 'critical',
  about: 'A card was charged or its money put on hold, and the client never learned of it.',
  remedy:
    'After a lost or unreadable answer, retry with the same PayPal-Request-Id or look the payment up.',
  needsWholeJournal: true,
  find: findOrphanedCharges,
};

function* findOrphanedCharges(evidence: Evidence): Generator<Detection> {
  yield* findOrphanedHolds(evidence);
  const lookups = new ReconciliationReads(evidence, isAnswerReceived);
  for (const charge of evidence.charges) {
    if (charge.known !== 'never' || charge.retainedMinor <= 0) continue;
    if (charge.isCapture && wasCaptureRefusedLater(evidence, charge)) continue;
    const purchase = evidence.purchaseLookup.byPayment(charge.paymentId);
    const hint = charge.isCapture
      ? refusalToVoid(evidence, charge)
      : refusalOfInvoice(purchase, charge);
    if (charge.atMs > evidence.atMs && lookups.hasReadAfter('payment.create', charge.entry)) {
      yield describeLateCharge(charge, purchase);
    } else
      yield new OrphanedCharge(
        evidence,
        charge,
        purchase,
        hint,
        unansweredLookups(evidence, charge.entry, purchase),
      );
  }
}

/** The lookups of a client that could not know what its request made, and did not act as if it had made nothing. */
function unansweredLookups(
  evidence: Evidence,
  entry: StoredEntry,
  purchase: Purchase | undefined,
): FailedLookups | undefined {
  const lookups = failedLookupsAfter(evidence, 'payment.create', entry);
  return lookups.wentOnToTheEnd && !isPaymentTakenAsFailed(evidence, entry, purchase)
    ? lookups
    : undefined;
}

/** A charge that comes after the verdict. The client looked for it before, and may still look again. */
function describeLateCharge(
  { id, amount, atMs, entry }: Charge,
  purchase: Purchase | undefined,
): Detection {
  const name = purchase === undefined ? '' : ` for ${describePurchase(purchase)}`;
  return {
    what: `${formatMoney(amount)} will be charged${name} at ${formatTime(atMs)}, after this verdict. The client looked before that, so no answer could contain sale ${id}.`,
    evidence: [entry],
    purchase,
    severity: 'medium',
    confidence: 'possible',
    remedy:
      'Look again later: a payment that an answer shows without its sale may still be charged.',
  };
}

/** A charge that the client never learned of, perhaps with an answer that hints at it. */
class OrphanedCharge implements Detection {
  readonly purchase: Purchase | undefined;
  readonly #all: Evidence;
  readonly #charge: Charge;
  readonly #hint: StoredEntry | undefined;
  readonly #unanswered: FailedLookups | undefined;

  constructor(
    all: Evidence,
    charge: Charge,
    purchase: Purchase | undefined,
    hint: StoredEntry | undefined,
    unanswered: FailedLookups | undefined,
  ) {
    this.purchase = purchase;
    this.#all = all;
    this.#charge = charge;
    this.#hint = hint;
    this.#unanswered = unanswered;
  }

  get severity(): Detection['severity'] {
    return this.#unanswered ? 'low' : this.#hint && 'high';
  }

  get confidence(): Detection['confidence'] {
    return this.#unanswered ? 'possible' : this.#hint && 'likely';
  }

  get evidence(): readonly StoredEntry[] {
    const hint = this.#hint === undefined ? [] : [this.#hint];
    return [this.#charge.entry, ...hint, ...(this.#unanswered?.last ?? [])];
  }

  get remedy(): string | undefined {
    if (this.#unanswered !== undefined) return lookAgainLater;
    const { entry } = this.#charge;
    return this.#isTwin ? reconcileCharges : adviseOnOrphan(this.#all, entry, this.#executedAgain);
  }

  get what(): string {
    const { id, amount, atMs, isCapture, entry } = this.#charge;
    const name = this.purchase === undefined ? '' : ` for ${describePurchase(this.purchase)}`;
    const charged = `${formatMoney(amount)} was ${isCapture ? 'captured' : 'charged'}${name} at ${formatTime(atMs)}`;
    const record = `${isCapture ? 'capture' : 'sale'} ${id}`;
    if (this.#isTwin) {
      return `${charged}, a second time by one request: something on the way to the service sent it again. The answer to the client shows the other one, and no answer contains ${record}.`;
    }
    if (this.#unanswered !== undefined) {
      return `${charged}. ${describeFailedLookups(this.#unanswered)}`;
    }
    if (this.#hint === undefined) {
      return `${charged}, and the client never learned of it: no answer that it received contains ${record}.${explainRetry(entry, this.#executedAgain)}`;
    }
    const refused = isCapture
      ? 'the authorization can no longer be voided'
      : this.purchase?.invoiceNumber === undefined
        ? 'the payment is a duplicate'
        : 'the invoice number is already used';
    return `${charged}. The client received the hint that ${refused}, but no answer contains ${record}.`;
  }

  /** The later payment that made the same charge again. An authorization expires before an id is forgotten. */
  get #executedAgain(): StoredEntry | undefined {
    return findExecutedAgain(this.purchase?.attempts ?? [], this.#charge.entry);
  }

  /** Whether one request was charged twice, and an answer showed the other charge. */
  get #isTwin(): boolean {
    const { isTwin, entry } = this.#charge;
    if (!isTwin || entry.concludes === 'OK') return isTwin;
    return firstDisclosures(this.#all).has(entry.subject ?? '');
  }
}

/** What became of the request id of a lost request, as a sentence; empty if that explains nothing. */
function explainRetry(entry: StoredEntry, again: StoredEntry | undefined): string {
  return again === undefined
    ? explainIgnoredId(entry)
    : ` The retry ${describeRequestId(entry, again)}.`;
}

function adviseOnOrphan(
  evidence: Evidence,
  entry: StoredEntry,
  again: StoredEntry | undefined,
): string | undefined {
  if (isIgnored(entry)) return reconcileCharges;
  return (
    adviseOnRetry(entry, again) ??
    adviseOnLostRetries(evidence, entry) ??
    (hasListedAfter(evidence, entry) ? listFromBefore : undefined)
  );
}

/** Whether the client received a list of payments after it sent a request. It did not look at the right payments then. */
function hasListedAfter(evidence: Evidence, entry: StoredEntry): boolean {
  return evidence.of('payment.list').some((list) => list.seq > entry.seq && isAnswerReceived(list));
}

const listFromBefore =
  'After a lost or unreadable answer, retry with the same PayPal-Request-Id. A list shows the payment only if its time range includes that of the request, and if every page is read.';

/** Authorizations that the client cannot capture or void, because no answer disclosed them. Nothing has been captured. */
function* findOrphanedHolds(evidence: Evidence): Generator<Detection> {
  const holds = [...evidence.authorizing].flatMap((entry) =>
    unshownHolds(evidence, entry)
      .filter(({ voided, capturedMinor }) => !voided && capturedMinor === 0)
      .map((authorization) => ({ entry, authorization })),
  );
  const disclosures = holds.length === 0 ? new Map() : firstDisclosures(evidence);
  for (const { entry, authorization } of holds) {
    const { id, paymentId, amount, createdAtMs, validUntilMs } = authorization;
    if (disclosures.has(id) || disclosures.has(paymentId)) continue;
    const purchase = evidence.purchaseLookup.byPayment(paymentId);
    const name = purchase === undefined ? '' : ` for ${describePurchase(purchase)}`;
    const end =
      evidence.atMs < validUntilMs
        ? 'The money stays on hold until the authorization expires.'
        : 'The money stayed on hold until the authorization expired.';
    if (entry.twin === paymentId) {
      yield {
        what: `${formatMoney(amount)} was authorized${name} at ${formatTime(createdAtMs)}, a second time by one request: something on the way to the service sent it again. The client voided the other authorization, and no answer contains authorization ${id}. ${end}`,
        evidence: [entry],
        purchase,
        severity: 'high',
        remedy: reconcileCharges,
      };
      continue;
    }
    const lookups = unansweredLookups(evidence, entry, purchase);
    if (lookups !== undefined) {
      yield {
        what: `${formatMoney(amount)} was authorized${name} at ${formatTime(createdAtMs)}. ${describeFailedLookups(lookups)} ${end}`,
        evidence: [entry, ...lookups.last],
        purchase,
        severity: 'low',
        confidence: 'possible',
        remedy: lookAgainLater,
      };
      continue;
    }
    // Only findings that are shown look for the retry.
    const again = () => findExecutedAgain(purchase?.attempts ?? [], entry);
    yield {
      what: () =>
        `${formatMoney(amount)} was authorized${name} at ${formatTime(createdAtMs)}, and the client never learned of it: no answer that it received contains authorization ${id}.${explainRetry(entry, again())} ${end}`,
      evidence: [entry],
      purchase,
      severity: 'high',
      get remedy() {
        return adviseOnOrphan(evidence, entry, again());
      },
    };
  }
}

/**
 * The authorizations of a request that its own answer did not show to the client. The second one of a request that was carried
 * out twice is a double charge until the first one is voided.
 */
function unshownHolds({ records }: Evidence, entry: StoredEntry): readonly Authorization[] {
  const [first, twin] = createdIds(entry).map((id) =>
    records.authorizations.get(records.payments.get(id)?.related.first?.id ?? ''),
  );
  const unshown = [
    entry.concludes === 'OK' ? undefined : first,
    first?.voided === true ? twin : undefined,
  ];
  return unshown.filter((authorization) => authorization !== undefined);
}

/** An answer that refused the invoice number as already used. It hints that a payment exists. */
function refusalOfInvoice(
  purchase: Purchase | undefined,
  { entry }: Charge,
): StoredEntry | undefined {
  return purchase && firstAfter(refusalsOfInvoice(purchase), entry);
}

const refusalsOfInvoice = memoize(({ attempts }: Purchase) =>
  attempts.filter((entry) => isRefused(entry, 'duplicate-invoice')),
);

/** Voids refused because the money had been captured, by authorization; each list in order. */
const refusedVoids = memoize((evidence: Evidence) =>
  groupBy(
    evidence.of('auth.void').filter((entry) => isRefused(entry, 'authorization-cannot-be-voided')),
    recordIdIn,
  ),
);

/** An answer that refused to void the authorization. It hints that a capture exists. */
function refusalToVoid(evidence: Evidence, { entry }: Charge): StoredEntry | undefined {
  return firstAfter(refusedVoids(evidence).get(recordIdIn(entry)) ?? [], entry);
}

/** Captures refused because the authorization was used up, by what they requested; each list in order. */
const refusedCaptures = memoize((evidence: Evidence) =>
  groupBy(
    evidence.of('auth.capture').filter((entry) => isRefused(entry, 'authorization-completed')),
    (entry) => recordContentOf(evidence, entry),
  ),
);

/** Whether a later request for the same capture was refused, which shows the client that the capture exists. */
function wasCaptureRefusedLater(evidence: Evidence, { entry }: Charge): boolean {
  const last = refusedCaptures(evidence).get(recordContentOf(evidence, entry))?.at(-1);
  return last !== undefined && last.seq > entry.seq;
}
