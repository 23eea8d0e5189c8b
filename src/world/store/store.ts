/** All records and transfers of one merchant's world, over a base that many worlds share. */
import type { Transfer } from '../../domain/money/ledger.ts';
import type { Records, RecordTypes, Write } from '../../domain/ports.ts';
import { Overlay } from './overlay.ts';
import { Table, type Indexes, type TableBase, type TableView } from './table.ts';
import type { Authorization, Capture, Card, Payment, Refund, Sale } from '../../domain/records.ts';

export type CardIndex = 'customer' | 'externalCard' | 'merchantReference';

export const cardIndexes: Indexes<Card, CardIndex> = {
  customer: (card) => card.externalCustomerId,
  externalCard: (card) => card.externalCardId,
  merchantReference: (card) => card.merchantReference,
};

/** All tables, for reading. */
export type RecordTables = { readonly [K in keyof RecordTypes]: Records<RecordTypes[K]> } & {
  readonly cards: TableView<Card, CardIndex>;
  readonly payments: TableView<Payment, never>;
};

/** The initial records of every world, built once from the fixtures. Shared and never changed. */
export interface WorldBase {
  readonly cards: TableBase<Card, CardIndex>;
  readonly payments: TableBase<Payment, never>;
  readonly sales: ReadonlyMap<string, Sale>;
  readonly authorizations: ReadonlyMap<string, Authorization>;
  readonly captures: ReadonlyMap<string, Capture>;
  readonly refunds: ReadonlyMap<string, Refund>;
  readonly invoices: ReadonlyMap<string, string>;
  readonly transfers: readonly Transfer[];
}

export class RecordStore {
  readonly cards: Table<Card, CardIndex>;
  readonly payments: Table<Payment, never>;
  readonly sales: Overlay<Sale>;
  readonly authorizations: Overlay<Authorization>;
  readonly captures: Overlay<Capture>;
  readonly refunds: Overlay<Refund>;
  readonly #invoices: Overlay<string>;
  readonly #base: WorldBase | undefined;
  readonly #transfers: Transfer[];

  constructor(base?: WorldBase, source?: RecordStore) {
    this.#base = base;
    if (source === undefined) {
      this.cards = new Table(cardIndexes, base?.cards);
      this.payments = new Table({}, base?.payments);
      this.sales = new Overlay(base?.sales ?? new Map());
      this.authorizations = new Overlay(base?.authorizations ?? new Map());
      this.captures = new Overlay(base?.captures ?? new Map());
      this.refunds = new Overlay(base?.refunds ?? new Map());
      this.#invoices = new Overlay(base?.invoices ?? new Map());
      this.#transfers = [];
    } else {
      this.cards = source.cards.copy();
      this.payments = source.payments.copy();
      this.sales = source.sales.copy();
      this.authorizations = source.authorizations.copy();
      this.captures = source.captures.copy();
      this.refunds = source.refunds.copy();
      this.#invoices = source.#invoices.copy();
      this.#transfers = [...source.#transfers];
    }
  }

  /**
   * An independent copy. It costs what was written since the base, whatever the size of the base.
   */
  copy(): RecordStore {
    return new RecordStore(this.#base, this);
  }

  /** The number of records. */
  get size(): number {
    return (
      this.cards.size +
      this.payments.size +
      this.sales.size +
      this.authorizations.size +
      this.captures.size +
      this.refunds.size
    );
  }

  has(id: string): boolean {
    return (
      this.cards.get(id) !== undefined ||
      this.payments.get(id) !== undefined ||
      this.hasTransaction(id)
    );
  }

  /** Whether a sale, authorization, capture or refund has this id. */
  hasTransaction(id: string): boolean {
    return (
      this.sales.get(id) !== undefined ||
      this.authorizations.get(id) !== undefined ||
      this.captures.get(id) !== undefined ||
      this.refunds.get(id) !== undefined
    );
  }

  paymentWithInvoice(invoiceNumber: string): string | undefined {
    return this.#invoices.get(invoiceNumber);
  }

  get transferCount(): number {
    return (this.#base?.transfers.length ?? 0) + this.#transfers.length;
  }

  /** All transfers, oldest first. */
  transfers(): readonly Transfer[] {
    return [...(this.#base?.transfers ?? []), ...this.#transfers];
  }

  apply(writes: readonly Write[], transfers: readonly Transfer[]): void {
    for (const write of writes) {
      if ('removed' in write) {
        this.cards.remove(write.removed);
        continue;
      }
      switch (write.table) {
        case 'cards':
          this.cards.put(write.record);
          break;
        case 'payments':
          this.#putPayment(write.record);
          break;
        case 'sales':
          this.sales.set(write.record.id, write.record);
          break;
        case 'authorizations':
          this.authorizations.set(write.record.id, write.record);
          break;
        case 'captures':
          this.captures.set(write.record.id, write.record);
          break;
        case 'refunds':
          this.refunds.set(write.record.id, write.record);
          break;
      }
    }
    this.#transfers.push(...transfers);
  }

  /** Everything in this store, as the base of other stores. */
  toBase(): WorldBase {
    return {
      cards: this.cards.toBase(),
      payments: this.payments.toBase(),
      sales: new Map(this.sales.entries()),
      authorizations: new Map(this.authorizations.entries()),
      captures: new Map(this.captures.entries()),
      refunds: new Map(this.refunds.entries()),
      invoices: new Map(this.#invoices.entries()),
      transfers: this.transfers(),
    };
  }

  #putPayment(payment: Payment): void {
    const { invoiceNumber } = payment.transaction;
    const before = this.payments.get(payment.id)?.transaction.invoiceNumber;
    if (before !== undefined && before !== invoiceNumber) this.#invoices.delete(before);
    if (invoiceNumber !== undefined) this.#invoices.set(invoiceNumber, payment.id);
    this.payments.put(payment);
  }
}
