/** What a client wanted done, and every request that tried to do it. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Severity } from '../../contract/severities.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { redactText, showNone } from '../../redaction/redact.ts';
import { GroupedUnknownOutcomes } from '../client-knowledge/unknown-outcomes.ts';
import { groupIdenticalCards } from '../evidence/cards.ts';
import { groupBy } from '../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import { cardAndAmountOf, hasSameBody, recordWorkOf } from '../evidence/request-fields.ts';
import { describePurchase } from '../phrases.ts';
import type { Purchase, PurchaseLookup } from './purchase.ts';
import { groupIntoSeries } from './series.ts';

/** Operations that must not be done twice. */
export type OnceOnlyOperation =
  'payment.create' | 'sale.refund' | 'capture.refund' | 'auth.capture' | 'card.create';

export interface AttemptGroup {
  readonly operation: OnceOnlyOperation;
  /** Oldest first, at least one. */
  readonly attempts: readonly StoredEntry[];
  /** It carries an invoice number of its own, so every attempt is meant for the same thing. */
  readonly isNamed: boolean;
  /** How it is called within a sentence. */
  readonly description: string;
  readonly purchase: Purchase | undefined;
}

/** How bad it is to do one twice: a second capture stays within what was authorized, a second card holds no money. */
export const duplicateSeverity: Readonly<Record<OnceOnlyOperation, Severity>> = {
  'payment.create': 'critical',
  'sale.refund': 'critical',
  'capture.refund': 'critical',
  'auth.capture': 'high',
  'card.create': 'medium',
};

/** Everything that a client tried to have done, and that must not be done twice. */
export function groupAttempts(
  journal: JournalIndex,
  purchases: readonly Purchase[],
  boughtBy: PurchaseLookup,
): readonly AttemptGroup[] {
  return [
    ...purchases.flatMap((purchase) => paymentAttempts(journal, purchase)),
    ...recordAttempts(journal, boughtBy, 'sale.refund'),
    ...recordAttempts(journal, boughtBy, 'capture.refund'),
    ...recordAttempts(journal, boughtBy, 'auth.capture'),
    ...cardAttempts(journal),
  ];
}

/** Paying for a purchase. Most are paid for at once, and nobody asks how those are called. */
class PaymentAttempts implements AttemptGroup {
  readonly operation = 'payment.create';
  readonly attempts: readonly StoredEntry[];
  readonly purchase: Purchase;

  constructor(attempts: readonly StoredEntry[], purchase: Purchase) {
    this.attempts = attempts;
    this.purchase = purchase;
  }

  get isNamed(): boolean {
    return this.purchase.invoiceNumber !== undefined;
  }

  get description(): string {
    return describePurchase(this.purchase);
  }
}

type RecordOperation = Extract<OperationName, 'sale.refund' | 'capture.refund' | 'auth.capture'>;

const operationPhrases: Readonly<Record<RecordOperation, string>> = {
  'sale.refund': 'the refund of sale',
  'capture.refund': 'the refund of capture',
  'auth.capture': 'the capture of authorization',
};

/** Work on a record that came of a payment. */
class RecordAttempts implements AttemptGroup {
  readonly operation: RecordOperation;
  readonly attempts: readonly StoredEntry[];
  readonly isNamed: boolean;
  readonly #record: string;
  readonly #boughtBy: PurchaseLookup;

  constructor(
    operation: RecordOperation,
    attempts: readonly StoredEntry[],
    isNamed: boolean,
    boughtBy: PurchaseLookup,
  ) {
    const [first] = attempts;
    this.operation = operation;
    this.attempts = attempts;
    this.isNamed = isNamed;
    this.#record = (first && recordIdIn(first)) ?? '';
    this.#boughtBy = boughtBy;
  }

  get description(): string {
    return `${operationPhrases[this.operation]} ${this.#record}`.trimEnd();
  }

  /** What was paid for by it. */
  get purchase(): Purchase | undefined {
    return this.#boughtBy.byRecord(this.#record);
  }
}

/** Some merchants write the same `custom` into every purchase: cards and amounts tell those apart. */
function paymentAttempts(journal: JournalIndex, purchase: Purchase): PaymentAttempts[] {
  const { attempts } = purchase;
  const isOne =
    attempts.every((entry) => hasSameBody(entry, attempts[0])) ||
    purchase.invoiceNumber !== undefined ||
    purchase.custom === undefined;
  if (isOne) return [new PaymentAttempts(attempts, purchase)];
  const groups = groupBy(attempts, (entry) => cardAndAmountOf(journal, entry));
  return [...groups.values()].map((group) => new PaymentAttempts(group, purchase));
}

/**
 * Work on one record: the same amount asked for again is the same work, later too while nobody knows whether it was done.
 */
function recordAttempts(
  journal: JournalIndex,
  boughtBy: PurchaseLookup,
  operation: RecordOperation,
): AttemptGroup[] {
  const doubts = new GroupedUnknownOutcomes(journal);
  const series = groupIntoSeries(
    journal.of(operation),
    (entry) => recordWorkOf(journal, entry),
    (before, entry) =>
      hasOwnInvoiceNumber(journal, entry) || doubts.hasUnknownBefore(before, entry),
  );
  return series.map(({ entries }) => {
    const [first] = entries;
    const isNamed = first !== undefined && hasOwnInvoiceNumber(journal, first);
    return new RecordAttempts(operation, entries, isNamed, boughtBy);
  });
}

/** Whether the invoice number names this work. What the payment is called as well names the order, of all its parts. */
function hasOwnInvoiceNumber(journal: JournalIndex, entry: StoredEntry): boolean {
  const name = memberOf(journal.requestFieldsOf(entry), 'invoice_number');
  if (name === undefined) return false;
  const { records } = journal;
  const id = recordIdIn(entry) ?? '';
  const record =
    records.sales.get(id) ?? records.captures.get(id) ?? records.authorizations.get(id);
  const order = record && records.payments.get(record.paymentId)?.transaction;
  return ![order?.invoiceNumber, order?.custom].some((text) => isKeptAs(name, text));
}

/** Whether the journal may have kept a text so: records hold what it hides, as an order's number that reads as a card's. */
function isKeptAs(kept: unknown, text: string | undefined): boolean {
  if (text === undefined) return false;
  return [text, redactText(text), redactText(text, showNone)].includes(String(kept));
}

/** Cards that look the same in the journal, which keeps no numbers; most look like no other. */
function cardAttempts(journal: JournalIndex): AttemptGroup[] {
  const firstAlike = new Map(
    groupIdenticalCards(journal).flatMap((alike) =>
      alike.map((entry) => [entry, alike[0]] as const),
    ),
  );
  const series = groupIntoSeries(
    journal.of('card.create').filter(({ request }) => request !== undefined),
    (entry) => (firstAlike.get(entry) ?? entry).debugId,
    () => false,
  );
  return series.map(({ entries }) => ({
    operation: 'card.create',
    attempts: entries,
    isNamed: false,
    description: 'a card',
    purchase: undefined,
  }));
}

/** Whether two attempts are surely meant for the same thing: by its name, or by their request id, or its absence. */
export function isSameIntent(
  { isNamed }: AttemptGroup,
  one: StoredEntry,
  other: StoredEntry,
): boolean {
  return isNamed || one.requestId === other.requestId;
}
