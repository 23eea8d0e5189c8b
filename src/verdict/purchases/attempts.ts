/** What a client wanted done, and every request that tried to do it. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Severity } from '../../contract/severities.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { redactText, showNone } from '../../redaction/redact.ts';
import type { BoughtBy } from './purchase-of-record.ts';
import { cardsAlike } from '../evidence/same-card.ts';
import { cardAndAmountOf, isSentAlike, workOf } from '../evidence/request-fields.ts';
import { groupedBy } from '../evidence/group-by.ts';
import { GrowingDoubts } from '../client-knowledge/unknown-outcomes.ts';
import type { Purchase } from './purchase.ts';
import { seriesOf } from './series.ts';
import { recordIn, type Trail } from '../evidence/journal-index.ts';
import { purchaseWords } from '../phrases.ts';

/** Operations that must not be done twice. */
export type TaskOperation =
  'payment.create' | 'sale.refund' | 'capture.refund' | 'auth.capture' | 'card.create';

export interface Task {
  readonly operation: TaskOperation;
  /** Oldest first, at least one. */
  readonly attempts: readonly StoredEntry[];
  /** It carries an invoice number of its own, so every attempt is meant for the same thing. */
  readonly isNamed: boolean;
  /** How it is called within a sentence. */
  readonly words: string;
  readonly purchase: Purchase | undefined;
}

/** How bad it is to do one twice: a second capture stays within what was authorized, a second card holds no money. */
export const twiceSeverity: Readonly<Record<TaskOperation, Severity>> = {
  'payment.create': 'critical',
  'sale.refund': 'critical',
  'capture.refund': 'critical',
  'auth.capture': 'high',
  'card.create': 'medium',
};

/** Everything that a client tried to have done, and that must not be done twice. */
export function tasksOf(
  trail: Trail,
  purchases: readonly Purchase[],
  boughtBy: BoughtBy,
): readonly Task[] {
  return [
    ...purchases.flatMap((purchase) => payments(trail, purchase)),
    ...others(trail, boughtBy, 'sale.refund'),
    ...others(trail, boughtBy, 'capture.refund'),
    ...others(trail, boughtBy, 'auth.capture'),
    ...cards(trail),
  ];
}

/** Paying for a purchase. Most are paid for at once, and nobody asks how those are called. */
class PaymentTask implements Task {
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

  get words(): string {
    return purchaseWords(this.purchase);
  }
}

type RecordOperation = Extract<OperationName, 'sale.refund' | 'capture.refund' | 'auth.capture'>;

const workWords: Readonly<Record<RecordOperation, string>> = {
  'sale.refund': 'the refund of sale',
  'capture.refund': 'the refund of capture',
  'auth.capture': 'the capture of authorization',
};

/** Work on a record that came of a payment. */
class RecordTask implements Task {
  readonly operation: RecordOperation;
  readonly attempts: readonly StoredEntry[];
  readonly isNamed: boolean;
  readonly #record: string;
  readonly #boughtBy: BoughtBy;

  constructor(
    operation: RecordOperation,
    attempts: readonly StoredEntry[],
    isNamed: boolean,
    boughtBy: BoughtBy,
  ) {
    const [first] = attempts;
    this.operation = operation;
    this.attempts = attempts;
    this.isNamed = isNamed;
    this.#record = (first && recordIn(first)) ?? '';
    this.#boughtBy = boughtBy;
  }

  get words(): string {
    return `${workWords[this.operation]} ${this.#record}`.trimEnd();
  }

  /** What was paid for by it. */
  get purchase(): Purchase | undefined {
    return this.#boughtBy.record(this.#record);
  }
}

/** Some merchants write the same `custom` into every purchase: cards and amounts tell those apart. */
function payments(trail: Trail, purchase: Purchase): PaymentTask[] {
  const { attempts } = purchase;
  const isOne =
    attempts.every((entry) => isSentAlike(entry, attempts[0])) ||
    purchase.invoiceNumber !== undefined ||
    purchase.custom === undefined;
  if (isOne) return [new PaymentTask(attempts, purchase)];
  const groups = groupedBy(attempts, (entry) => cardAndAmountOf(trail, entry));
  return [...groups.values()].map((group) => new PaymentTask(group, purchase));
}

/**
 * Work on one record: the same amount asked for again is the same work, later too while nobody knows whether it was done.
 */
function others(trail: Trail, boughtBy: BoughtBy, operation: RecordOperation): Task[] {
  const doubts = new GrowingDoubts(trail);
  const series = seriesOf(
    trail.of(operation),
    (entry) => workOf(trail, entry),
    (before, entry) => hasOwnName(trail, entry) || doubts.areLeftAt(before, entry),
  );
  return series.map(({ entries }) => {
    const [first] = entries;
    const isNamed = first !== undefined && hasOwnName(trail, first);
    return new RecordTask(operation, entries, isNamed, boughtBy);
  });
}

/** Whether the invoice number names this work. What the payment is called as well names the order, of all its parts. */
function hasOwnName(trail: Trail, entry: StoredEntry): boolean {
  const name = memberOf(trail.askedIn(entry), 'invoice_number');
  if (name === undefined) return false;
  const { records } = trail;
  const id = recordIn(entry) ?? '';
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
function cards(trail: Trail): Task[] {
  const firstAlike = new Map(
    cardsAlike(trail).flatMap((alike) => alike.map((entry) => [entry, alike[0]] as const)),
  );
  const series = seriesOf(
    trail.of('card.create').filter(({ storedRequest }) => storedRequest !== undefined),
    (entry) => (firstAlike.get(entry) ?? entry).debugId,
    () => false,
  );
  return series.map(({ entries }) => ({
    operation: 'card.create',
    attempts: entries,
    isNamed: false,
    words: 'a card',
    purchase: undefined,
  }));
}

/** Whether two attempts are surely meant for the same thing: by its name, or by their request id, or its absence. */
export function isSameTry({ isNamed }: Task, one: StoredEntry, other: StoredEntry): boolean {
  return isNamed || one.requestId === other.requestId;
}
