/** The same payment, charged several times. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import {
  duplicateConfidence,
  type DuplicateConfidence,
} from '../../../client-knowledge/duplicate-confidence.ts';
import { parallelAttempts } from '../../../client-knowledge/parallel/parallel-attempts.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { describePurchase, formatNumber } from '../../../phrases.ts';
import type { AttemptGroup } from '../../../purchases/attempts.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import type { Detection, PaidTwice } from '../../finding-rule.ts';
import { adviseOnDuplicate, adviseOnParts } from '../duplicate-advice.ts';
import { findMakers, weights, type Makers } from '../duplicates.ts';
import { describeCharges } from './describe-charges.ts';
import { entriesOf, keptPayments, type Payments } from './kept-money.ts';
import { captureAgain, explainLostCapture } from './lost-captures.ts';
import { explainOrderName, explainRepeat, findPaymentGroups } from './payment-groups.ts';

/** Finds purchases that were paid by the same payment several times. */
export function* findRepeatedPayments(evidence: Evidence): Generator<Detection> {
  for (const group of findPaymentGroups(evidence)) {
    const { purchase } = group;
    const payments = purchase && keptPayments(purchase, group.attempts);
    if (payments) yield new RepeatedPayment(evidence, group, purchase, payments);
  }
}

/** One purchase that was paid by several payments. */
class RepeatedPayment implements Detection {
  readonly severity: Detection['severity'];
  readonly confidence: Detection['confidence'];
  readonly purchase: Purchase;
  readonly #sureness: DuplicateConfidence;
  readonly #payments: Payments;
  readonly #group: AttemptGroup;
  /** All evidence. The `evidence` of a detection is the part that shows it. */
  readonly #all: Evidence;

  constructor(all: Evidence, group: AttemptGroup, purchase: Purchase, payments: Payments) {
    const sureness = duplicateConfidence(all, group, payments);
    this.severity = weights[sureness].severity;
    this.confidence = weights[sureness].confidence;
    this.#sureness = sureness;
    this.purchase = purchase;
    this.#payments = payments;
    this.#group = group;
    this.#all = all;
  }

  get what(): string {
    const makers = this.#makers;
    const name = describePurchase(this.purchase);
    return [
      describeCharges(name, this.purchase, this.#group.attempts, this.#payments),
      `${explainRepeat(this.#all, this.#group, makers)}${explainCopies(makers.makers)}`,
    ].join(' ');
  }

  get evidence(): readonly StoredEntry[] {
    return entriesOf([...this.#payments.values()].flat());
  }

  get remedy(): string | undefined {
    const makers = this.#makers;
    if (explainLostCapture(this.#all, makers.makers) !== '') return captureAgain;
    if (haveCopies(makers.makers)) {
      const areParallel = parallelAttempts(this.#all, this.#group).entries.length > 0;
      return areParallel ? storeOnce : chargeOneCopy;
    }
    const isSameName = explainOrderName(this.#all, makers) !== '';
    return (
      adviseOnDuplicate(this.#all, makers, this.#sureness) ??
      (isSameName ? adviseOnParts(makers.makers) : undefined)
    );
  }

  get paidTwice(): readonly PaidTwice[] {
    return [[...this.#payments.values()]];
  }

  get #makers(): Makers {
    return findMakers(this.#group.attempts, (id) => this.#payments.has(id));
  }
}

/** Whether the payments used copies of one card. Other cards are other purchases. */
function haveCopies(makers: readonly StoredEntry[]): boolean {
  return makers.some(({ cardId }) => cardId !== makers[0]?.cardId);
}

function explainCopies(makers: readonly StoredEntry[]): string {
  if (!haveCopies(makers)) return '';
  const { size } = new Set(makers.map(({ cardId }) => cardId));
  return ` The payments used ${formatNumber(size)} copies of one card, each stored with the same number.`;
}

const storeOnce =
  'Lock the order before you store the card. Or make the PayPal-Request-Ids of the card and of the payment from the order, so that a second click repeats both.';

const chargeOneCopy =
  'Charge each order or month once, and not once for each card in the vault: make the PayPal-Request-Id of the payment from the order or month. Repeat a lost request to store a card with the same PayPal-Request-Id, so that the vault has one copy.';
