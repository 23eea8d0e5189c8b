/** Purchases as the buyer sees them: all attempts to pay for one thing, and the money they took. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import type { JournalIndex, Records } from '../evidence/journal-index.ts';
import type { Charge, Charges } from './charge.ts';
import type { Series } from './series.ts';

/** One purchase. What it is called, and what it took, is looked up when somebody asks: of most nobody does. */
export class Purchase {
  /** Unlike that of any other purchase of the merchant. */
  readonly key: string;
  /** Requests to pay, oldest first. */
  readonly attempts: readonly StoredEntry[];
  readonly #journal: JournalIndex;
  readonly #all: Charges;

  constructor(journal: JournalIndex, all: Charges, { key, entries }: Series) {
    this.#journal = journal;
    this.#all = all;
    this.key = key;
    this.attempts = entries;
  }

  /** Ids of the payments that its attempts made. */
  get payments(): readonly string[] {
    return this.attempts.flatMap(createdIds);
  }

  /** Sales, and captures of what was authorized, by attempt and then oldest first. */
  get charges(): readonly Charge[] {
    return this.chargesBy(this.attempts);
  }

  /** Those that some of its attempts made. */
  chargesBy(attempts: readonly StoredEntry[]): readonly Charge[] {
    return attempts.flatMap((entry) => (entry.committed ? this.#all.ofPayment(entry) : []));
  }

  /** The invoice number it carries: two requests with the same one are the same purchase whatever lies between. */
  get invoiceNumber(): string | undefined {
    return this.#text('invoice_number');
  }

  /** `custom`, for merchants who name purchases there. */
  get custom(): string | undefined {
    return this.#text('custom');
  }

  /** Its invoice number, or what was bought. */
  get label(): string {
    const { invoiceNumber, custom } = this;
    const [total = '?', currency = ''] = this.#sum;
    return invoiceNumber ?? custom ?? this.#text('description') ?? `${total} ${currency}`.trim();
  }

  /** As it was first asked for. */
  get amount(): { readonly total: string; readonly currency: string } | undefined {
    const [total, currency] = this.#sum;
    return total === undefined || currency === undefined ? undefined : { total, currency };
  }

  get #sum(): (string | undefined)[] {
    const amount = memberOf(this.#transaction, 'amount');
    return ['total', 'currency'].map((name) => textOf(memberOf(amount, name)));
  }

  get #transaction(): unknown {
    const [first] = this.attempts;
    return first && transactionOf(this.#journal, first);
  }

  #text(name: string): string | undefined {
    return textOf(memberOf(this.#transaction, name));
  }
}

const transactionSteps = stepsOf('transactions[0]');

export function transactionOf(journal: JournalIndex, entry: StoredEntry): unknown {
  return memberAlong(journal.requestFieldsOf(entry), transactionSteps);
}

/** What a client wrote, where it wrote something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Looked up only once somebody asks: most purchases have nothing to be said of them. */
export class PurchaseLookup {
  readonly #records: Records;
  readonly #purchases: readonly Purchase[];
  #byPayment: ReadonlyMap<string, Purchase> | undefined;

  constructor(records: Records, purchases: readonly Purchase[]) {
    this.#records = records;
    this.#purchases = purchases;
  }

  byPayment(id: string): Purchase | undefined {
    this.#byPayment ??= new Map(
      this.#purchases.flatMap((purchase) =>
        purchase.payments.map((payment): [string, Purchase] => [payment, purchase]),
      ),
    );
    return this.#byPayment.get(id);
  }

  /** A sale, an authorization or a capture. */
  byRecord(id: string): Purchase | undefined {
    const { sales, authorizations, captures } = this.#records;
    const record = sales.get(id) ?? authorizations.get(id) ?? captures.get(id);
    return record && this.byPayment(record.paymentId);
  }
}
