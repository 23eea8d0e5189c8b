/** The same payment, charged several times. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import {
  duplicateConfidence,
  type DuplicateConfidence,
} from '../../../client-knowledge/duplicate-confidence.ts';
import { isDisclosedBefore } from '../../../client-knowledge/disclosed-before-retry.ts';
import { parallelAttempts } from '../../../client-knowledge/parallel/parallel-attempts.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { bySeq, everyPair, gapMs } from '../../../evidence/exchange-order.ts';
import { createdIds } from '../../../evidence/exchange-results.ts';
import { isMonthOfPlan } from '../../../evidence/orders/order-names.ts';
import { partsApartMs } from '../../../evidence/time-windows.ts';
import { describePurchase, formatNumber } from '../../../phrases.ts';
import type { AttemptGroup } from '../../../purchases/attempts.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import type { Detection, PaidTwice } from '../../finding-rule.ts';
import { adviseOnDuplicate, adviseOnParts } from '../duplicate-advice.ts';
import { findDuplicates, weights, type Duplicates } from '../duplicates.ts';
import { describeCharges } from './describe-charges.ts';
import {
  entriesOf,
  fitIntoOneHold,
  isKeptTwice,
  keptPayments,
  type Payments,
} from './kept-money.ts';
import { findLikelyRepeats } from './likely-repeats.ts';
import { captureAgain, explainLostCapture } from './lost-captures.ts';
import { explainOrderName, explainRepeat, findPaymentGroups } from './payment-groups.ts';

/** Finds purchases that were paid by the same payment several times. */
export function* findRepeatedPayments(evidence: Evidence): Generator<Detection> {
  for (const group of findPaymentGroups(evidence)) {
    const { purchase } = group;
    const payments = purchase && keptPayments(purchase, group.attempts);
    if (purchase === undefined || payments === undefined) continue;
    const doubled = group.attempts.filter(
      (entry) => entry.twin !== undefined && createdIds(entry).every((id) => payments.has(id)),
    );
    if (doubled.length === 0) {
      yield new RepeatedPayment(evidence, group, purchase, payments);
      continue;
    }
    // The client's own payments may all be wanted, so what was doubled on the way is told by itself.
    const made = new Set(doubled.flatMap(createdIds));
    const twins = new Set(doubled.map(({ twin }) => twin));
    const parts = [
      [restrictTo(doubled, group), where(payments, (id) => made.has(id))],
      [group, where(payments, (id) => !twins.has(id))],
    ] as const;
    for (const [part, kept] of parts) {
      if (isKeptTwice([...kept.values()])) {
        yield new RepeatedPayment(evidence, part, purchase, kept);
      }
    }
  }
}

function restrictTo(
  attempts: readonly StoredEntry[],
  { operation, hasInvoiceNumber, description, purchase }: AttemptGroup,
): AttemptGroup {
  return { operation, attempts, hasInvoiceNumber, description, purchase };
}

function where(payments: Payments, counts: (id: string) => boolean): Payments {
  return new Map([...payments].filter(([id]) => counts(id)));
}

/** One purchase that was paid by several payments. */
class RepeatedPayment implements Detection {
  readonly severity: Detection['severity'];
  readonly confidence: Detection['confidence'];
  readonly purchase: Purchase;
  readonly #sureness: DuplicateConfidence;
  readonly #payments: Payments;
  /** Whether they may be equal parts of the order. */
  readonly #areParts: boolean;
  readonly #group: AttemptGroup;
  /** All evidence. The `evidence` of a detection is the part that shows it. */
  readonly #all: Evidence;

  constructor(all: Evidence, group: AttemptGroup, purchase: Purchase, payments: Payments) {
    const repeated = duplicateConfidence(all, group, payments);
    const areParts = repeated === 'likely' && areEqualParts(all, payments);
    const sureness = areParts ? 'possible' : repeated;
    this.severity = weights[sureness].severity;
    this.confidence = weights[sureness].confidence;
    this.#sureness = sureness;
    this.#areParts = areParts;
    this.purchase = purchase;
    this.#payments = payments;
    this.#group = group;
    this.#all = all;
  }

  get what(): string {
    const duplicates = this.#duplicates;
    const name = describePurchase(this.purchase);
    return [
      describeCharges(name, this.purchase, this.#group.attempts, this.#payments),
      `${explainRepeat(this.#all, this.#group, duplicates)}${explainCopies(duplicates.requests)}${this.#areParts ? withinOrder : ''}`,
    ].join(' ');
  }

  get evidence(): readonly StoredEntry[] {
    return entriesOf([...this.#payments.values()].flat());
  }

  get remedy(): string | undefined {
    const duplicates = this.#duplicates;
    if (explainLostCapture(this.#all, duplicates.requests) !== '') return captureAgain;
    if (haveCopies(duplicates.requests)) {
      const areParallel = parallelAttempts(this.#all, this.#group).entries.length > 0;
      // A job charges a month. It may open a connection for each copy.
      const isMonth = duplicates.requests.every((entry) => isMonthOfPlan(this.#all, entry));
      return areParallel && !isMonth ? storeOnce : chargeOneCopy;
    }
    const isSameName = explainOrderName(this.#all, duplicates) !== '';
    return (
      adviseOnDuplicate(this.#all, duplicates, this.#sureness) ??
      (isSameName ? adviseOnParts(duplicates.requests) : undefined)
    );
  }

  get paidTwice(): readonly PaidTwice[] {
    const { requests, areDoubled } = this.#duplicates;
    const runs = areDoubled
      ? requests.map((request) => [request])
      : findLikelyRepeats(this.#all, this.#group, this.#payments);
    return runs.map((run) =>
      run.flatMap(createdIds).flatMap((id) => {
        const charges = this.#payments.get(id);
        return charges === undefined ? [] : [charges];
      }),
    );
  }

  get #duplicates(): Duplicates {
    return findDuplicates(this.#group.attempts, (id) => this.#payments.has(id));
  }
}

/**
 * Whether the client captured equal parts of one order, each long after it knew of the one before. Together they take no
 * more than the first hold has.
 */
function areEqualParts(evidence: Evidence, payments: Payments): boolean {
  const paid = [...payments.values()];
  const charges = paid.flat().toSorted((one, other) => bySeq(one.entry, other.entry));
  return (
    fitIntoOneHold(paid) &&
    everyPair(
      charges,
      (one, next) =>
        one.paymentId === next.paymentId ||
        (gapMs(one.entry, next.entry) >= partsApartMs &&
          isDisclosedBefore(evidence, one.entry, next.entry)),
    )
  );
}

const withinOrder =
  ' Together they are no more than was authorized at first, so they may be parts of the order.';

/** Whether the payments used copies of one card. Other cards are other purchases. */
function haveCopies(requests: readonly StoredEntry[]): boolean {
  return requests.some(({ cardId }) => cardId !== requests[0]?.cardId);
}

function explainCopies(requests: readonly StoredEntry[]): string {
  if (!haveCopies(requests)) return '';
  const { size } = new Set(requests.map(({ cardId }) => cardId));
  return ` The payments used ${formatNumber(size)} copies of one card, each stored with the same number.`;
}

const storeOnce =
  'Lock the order before you store the card. Or make the PayPal-Request-Ids of the card and of the payment from the order, so that a second click repeats both.';

const chargeOneCopy =
  'Charge each order or month once, and not once for each card in the vault: make the PayPal-Request-Id of the payment from the order or month. Repeat a lost request to store a card with the same PayPal-Request-Id, so that the vault has one copy.';
