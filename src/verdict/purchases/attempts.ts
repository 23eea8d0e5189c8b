/** Groups requests that must not be carried out twice by what the client wanted. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Severity } from '../../contract/constants.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { GroupedUnknownOutcomes } from '../client-knowledge/unknown-outcomes.ts';
import { isRefundedWhilePending } from '../client-knowledge/reads/pending-refunds.ts';
import { isCaptureBeyondAmount } from '../evidence/captures.ts';
import { groupIdenticalCards } from '../evidence/cards.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import { groupBy } from '../evidence/group-by.ts';
import { isNamedPart, isRefundWithReason } from '../evidence/orders/order-names.ts';
import { ownPartNumberIn } from '../evidence/orders/own-part-number.ts';
import { hasSameBody, requestsByRecordContent } from '../evidence/request-content.ts';
import { maxRedeliveryMs } from '../evidence/time-windows.ts';
import { describePurchase } from '../phrases.ts';
import { groupByCardAndAmount } from './card-copies.ts';
import type { Purchase, PurchaseLookup } from './purchase.ts';
import { splitIntoSeries } from './series.ts';

/** Operations that must not be carried out twice for the same thing. */
export type OnceOnlyOperation =
  | 'payment.create'
  | 'sale.refund'
  | 'capture.refund'
  | 'auth.capture'
  | 'card.create';

/** All requests by which a client tried to do one thing. */
export interface AttemptGroup {
  readonly operation: OnceOnlyOperation;
  /** Oldest first, at least one. */
  readonly attempts: readonly StoredEntry[];
  /** Whether it has an invoice number of its own, so that every attempt is certainly for the same thing. */
  readonly hasInvoiceNumber: boolean;
  /** A phrase for it within a sentence. */
  readonly description: string;
  readonly purchase: Purchase | undefined;
}

/**
 * How severe it is to carry out an operation twice.
 *
 * A second capture cannot exceed the authorized amount, and storing a card twice moves no money.
 */
export const duplicateSeverity: Readonly<Record<OnceOnlyOperation, Severity>> = {
  'payment.create': 'critical',
  'sale.refund': 'critical',
  'capture.refund': 'critical',
  'auth.capture': 'high',
  'card.create': 'medium',
};

/** Groups all requests that must not be carried out twice. */
export function groupAttempts(
  journal: JournalIndex,
  purchases: readonly Purchase[],
  purchaseLookup: PurchaseLookup,
): readonly AttemptGroup[] {
  return [
    ...purchases.flatMap((purchase) => groupPayments(journal, purchase)),
    ...groupRecordRequests(journal, purchaseLookup, 'sale.refund'),
    ...groupRecordRequests(journal, purchaseLookup, 'capture.refund'),
    ...groupRecordRequests(journal, purchaseLookup, 'auth.capture'),
    ...groupCardRequests(journal),
  ];
}

/** Whether two attempts of a group are certainly for the same thing: by its name, or by equal or missing request ids. */
export function isSameIntent(group: AttemptGroup, one: StoredEntry, other: StoredEntry): boolean {
  return one.requestId === other.requestId || group.hasInvoiceNumber;
}

/** Attempts to pay for a purchase. The names are computed on demand, because most purchases are never reported. */
class PaymentAttempts implements AttemptGroup {
  readonly operation = 'payment.create';
  readonly attempts: readonly StoredEntry[];
  readonly purchase: Purchase;

  constructor(attempts: readonly StoredEntry[], purchase: Purchase) {
    this.attempts = attempts;
    this.purchase = purchase;
  }

  get hasInvoiceNumber(): boolean {
    return this.purchase.hasInvoiceNumber;
  }

  get description(): string {
    return describePurchase(this.purchase);
  }
}

/** A purchase with an invoice number has one group. Otherwise each card and amount has its own. */
function groupPayments(journal: JournalIndex, purchase: Purchase): PaymentAttempts[] {
  const { attempts } = purchase;
  const isOneGroup =
    attempts.every((entry) => hasSameBody(entry, attempts[0])) || purchase.hasInvoiceNumber;
  if (isOneGroup) return [new PaymentAttempts(attempts, purchase)];
  return groupByCardAndAmount(journal, attempts).map(
    (group) => new PaymentAttempts(group, purchase),
  );
}

type RecordOperation = Extract<OperationName, 'sale.refund' | 'capture.refund' | 'auth.capture'>;

const operationPhrases: Readonly<Record<RecordOperation, string>> = {
  'sale.refund': 'the refund of sale',
  'capture.refund': 'the refund of capture',
  'auth.capture': 'the capture of authorization',
};

/** Attempts to refund or capture a record of a payment. */
class RecordAttempts implements AttemptGroup {
  readonly operation: RecordOperation;
  readonly attempts: readonly StoredEntry[];
  readonly hasInvoiceNumber: boolean;
  readonly #recordId: string;
  readonly #purchaseLookup: PurchaseLookup;

  constructor(
    operation: RecordOperation,
    attempts: readonly StoredEntry[],
    hasInvoiceNumber: boolean,
    purchaseLookup: PurchaseLookup,
  ) {
    const [first] = attempts;
    this.operation = operation;
    this.attempts = attempts;
    this.hasInvoiceNumber = hasInvoiceNumber;
    this.#recordId = (first && recordIdIn(first)) ?? '';
    this.#purchaseLookup = purchaseLookup;
  }

  get description(): string {
    return `${operationPhrases[this.operation]} ${this.#recordId}`.trimEnd();
  }

  get purchase(): Purchase | undefined {
    return this.#purchaseLookup.byRecord(this.#recordId);
  }
}

/**
 * Groups refunds or captures by record, amount and invoice number.
 *
 * Equal requests within a short time are one group. A later one joins it if its invoice number or note names one case or
 * part of the order, if its note names the order and a reason, or if the outcome of an earlier one is still unknown or
 * pending. So does a capture beyond the authorized amount: equal parts of an order add up to it at most.
 */
function groupRecordRequests(
  journal: JournalIndex,
  purchaseLookup: PurchaseLookup,
  operation: RecordOperation,
): AttemptGroup[] {
  const unknown = new GroupedUnknownOutcomes(journal);
  const alike = [...requestsByRecordContent(journal)].filter(
    ([, [first]]) => first?.operation === operation,
  );
  const series = splitIntoSeries(
    alike,
    (before, entry) =>
      ownPartNumberIn(journal, entry) !== undefined ||
      isPartDoneAgain(journal, before, entry) ||
      isPendingRefundAgain(journal, before, entry) ||
      unknown.hasUnknownBefore(before, entry) ||
      isCaptureBeyondAmount(journal, entry),
  );
  return series.map(({ entries }) => {
    const [first] = entries;
    const hasInvoiceNumber = first !== undefined && ownPartNumberIn(journal, first) !== undefined;
    return new RecordAttempts(operation, entries, hasInvoiceNumber, purchaseLookup);
  });
}

/** Whether a case or a part of an order was done some time before, as by a queue that delivers a job again. */
function isPartDoneAgain(
  journal: JournalIndex,
  before: readonly StoredEntry[],
  entry: StoredEntry,
): boolean {
  const last = before.at(-1);
  return (
    last !== undefined &&
    gapMs(last, entry) <= maxRedeliveryMs &&
    (isNamedPart(journal, entry) || isRefundWithReason(journal, entry))
  );
}

/** Whether the refund before was pending, and the client had not looked what became of it. */
function isPendingRefundAgain(
  journal: JournalIndex,
  before: readonly StoredEntry[],
  entry: StoredEntry,
): boolean {
  const last = before.at(-1);
  return last !== undefined && isRefundedWhilePending(journal, last, entry);
}

/** Groups requests to store a card by the card, as far as the redacted journal shows which one it is. */
function groupCardRequests(journal: JournalIndex): AttemptGroup[] {
  const firstOfSameCard = new Map(
    groupIdenticalCards(journal).flatMap((group) =>
      group.map((entry) => [entry, group[0]] as const),
    ),
  );
  const byCard = groupBy(
    journal.of('card.create').filter(({ request }) => request !== undefined),
    (entry) => (firstOfSameCard.get(entry) ?? entry).debugId,
  );
  const series = splitIntoSeries(byCard, () => false);
  return series.map(({ entries }) => ({
    operation: 'card.create',
    attempts: entries,
    hasInvoiceNumber: false,
    description: 'a card',
    purchase: undefined,
  }));
}
