/** What a client wanted done, and every request that tried to do it. */
import type { OperationName } from '../contract/operations.ts';
import type { Severity } from '../contract/severities.ts';
import type { KeptEntry } from '../journal/kept-entry.ts';
import { memberOf } from '../member.ts';
import { groupedBy } from './grouped.ts';
import { GrowingDoubts, OpenDoubts } from './doubt.ts';
import { cardAndAmountOf, type Purchase } from './purchase.ts';
import { madeBy } from './made-by.ts';
import { seriesOf } from './series.ts';
import { recordIn, type Trail } from './trail.ts';
import { purchaseWords } from './words.ts';

/** Operations that must not be done twice. */
export type TaskOperation =
  'payment.create' | 'sale.refund' | 'capture.refund' | 'auth.capture' | 'card.create';

export interface Task {
  readonly operation: TaskOperation;
  /** Oldest first, at least one. */
  readonly attempts: readonly KeptEntry[];
  /** It carries an invoice number, so every attempt is meant for the same thing. */
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
export function tasksOf(trail: Trail, purchases: readonly Purchase[]): readonly Task[] {
  return [
    ...purchases.flatMap((purchase) => payments(trail, purchase)),
    ...others(trail, 'sale.refund', 'the refund of sale'),
    ...others(trail, 'capture.refund', 'the refund of capture'),
    ...others(trail, 'auth.capture', 'the capture of authorization'),
    ...cards(trail),
  ];
}

/** Paying for a purchase. Most are paid for at once, and nobody asks how those are called. */
class PaymentTask implements Task {
  readonly operation = 'payment.create';
  readonly attempts: readonly KeptEntry[];
  readonly purchase: Purchase;

  constructor(attempts: readonly KeptEntry[], purchase: Purchase) {
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

/** Some merchants write the same `custom` into every purchase: cards and amounts tell those apart. */
function payments(trail: Trail, purchase: Purchase): PaymentTask[] {
  const { attempts } = purchase;
  const isOne =
    attempts.length === 1 || purchase.invoiceNumber !== undefined || purchase.custom === undefined;
  if (isOne) return [new PaymentTask(attempts, purchase)];
  const groups = groupedBy(attempts, (entry) => cardAndAmountOf(trail, entry));
  return [...groups.values()].map((group) => new PaymentTask(group, purchase));
}

/**
 * Work on one record: the same amount asked for again is the same work, later too while nobody knows whether it was done.
 */
function others(
  trail: Trail,
  operation: Extract<OperationName, 'sale.refund' | 'capture.refund' | 'auth.capture'>,
  words: string,
): Task[] {
  const invoiceOf = (entry: KeptEntry) => memberOf(trail.bodyOf(entry), 'invoice_number');
  const doubts = new GrowingDoubts(trail);
  const series = seriesOf(
    trail.of(operation),
    (entry) => workOf(trail, entry),
    (before, entry) => invoiceOf(entry) !== undefined || doubts.areLeftAt(before, entry),
  );
  return series.map(({ entries }) => {
    const [first] = entries;
    return {
      operation,
      attempts: entries,
      isNamed: first !== undefined && invoiceOf(first) !== undefined,
      words: `${words} ${(first && recordIn(first)) ?? ''}`.trimEnd(),
      purchase: undefined,
    };
  });
}

/** What a request wants done with a record: how much of it, and under which invoice number. */
export function workOf(trail: Trail, entry: KeptEntry): string {
  const body = trail.bodyOf(entry);
  return JSON.stringify([
    recordIn(entry),
    memberOf(body, 'amount'),
    memberOf(body, 'invoice_number'),
  ]);
}

/** Cards that look the same in the journal, which keeps no numbers. */
function cards(trail: Trail): Task[] {
  const series = seriesOf(
    trail.of('card.create'),
    ({ request }) => request,
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
export function isSameTry({ isNamed }: Task, one: KeptEntry, other: KeptEntry): boolean {
  return isNamed || one.requestId === other.requestId;
}

/**
 * Whether a client that did a thing several times surely wanted it once: it gave it a name, or one request id, sent one
 * request for it, or could not know of one that it was done. `made` are ids of what was made.
 */
export function isMeantOnce(trail: Trail, task: Task, made: ReadonlySet<string>): boolean {
  if (task.isNamed) return true;
  const doubts = new OpenDoubts(trail);
  const makers = new Set<KeptEntry>();
  const requestIds = new Set<string>();
  for (const entry of task.attempts) {
    const { requestId } = entry;
    const own = madeBy(entry).filter((id) => made.has(id));
    if (own.length > 1) return true;
    if (own.length > 0) {
      if (requestId !== undefined && requestIds.has(requestId)) return true;
      for (const doubt of doubts.open) if (makers.has(doubt)) return true;
      makers.add(entry);
      if (requestId !== undefined) requestIds.add(requestId);
    }
    doubts.see(entry);
  }
  return false;
}
