/** A purchase as the buyer sees it: all attempts to pay for one thing, and the money they took. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { findPaymentPart, type Records } from '../evidence/records.ts';
import { hasInvoiceNumber, orderNamesOf, type OrderNames } from '../evidence/orders/order-names.ts';
import { textOf, transactionOf } from '../evidence/request-fields.ts';
import type { Charge, Charges } from './charge.ts';
import type { Series } from './series.ts';

/** One purchase. Its names and charges are computed on demand, because most purchases are never reported. */
export class Purchase {
  /** Unique among the purchases of the merchant. */
  readonly key: string;
  /** Requests to pay, oldest first. */
  readonly attempts: readonly StoredEntry[];
  readonly #journal: JournalIndex;
  readonly #allCharges: Charges;
  #orderNames: OrderNames | undefined;
  #charges: readonly Charge[] | undefined;

  constructor(journal: JournalIndex, allCharges: Charges, { key, entries }: Series) {
    this.#journal = journal;
    this.#allCharges = allCharges;
    this.key = key;
    this.attempts = entries;
  }

  /** Ids of the payments that its attempts created. */
  get payments(): readonly string[] {
    return this.attempts.flatMap(createdIds);
  }

  /** Its sales and captures, by attempt and then oldest first. */
  get charges(): readonly Charge[] {
    return (this.#charges ??= this.#findCharges(this.attempts));
  }

  /** The sales and captures that some of its attempts led to. */
  chargesBy(attempts: readonly StoredEntry[]): readonly Charge[] {
    return attempts === this.attempts ? this.charges : this.#findCharges(attempts);
  }

  /** Its invoice number. Requests with the same invoice number are always the same purchase. */
  get invoiceNumber(): string | undefined {
    return this.hasInvoiceNumber ? this.#names.invoiceNumber : undefined;
  }

  get hasInvoiceNumber(): boolean {
    const [first] = this.attempts;
    return first !== undefined && hasInvoiceNumber(this.#journal, first);
  }

  /** Its `custom`, which some merchants use as the order number. */
  get custom(): string | undefined {
    return this.#names.custom;
  }

  /** A name for people: the invoice number, `custom`, the description or the amount. */
  get label(): string {
    const { invoiceNumber, custom } = this.#names;
    const [total = '?', currency = ''] = this.#totalAndCurrency;
    const description = textOf(memberOf(this.#transaction, 'description'));
    return invoiceNumber ?? custom ?? description ?? `${total} ${currency}`.trim();
  }

  /** The amount of the first attempt. */
  get amount(): { readonly total: string; readonly currency: string } | undefined {
    const [total, currency] = this.#totalAndCurrency;
    return total === undefined || currency === undefined ? undefined : { total, currency };
  }

  #findCharges(attempts: readonly StoredEntry[]): readonly Charge[] {
    return attempts.flatMap((entry) => (entry.committed ? this.#allCharges.ofPayment(entry) : []));
  }

  get #totalAndCurrency(): (string | undefined)[] {
    const amount = memberOf(this.#transaction, 'amount');
    return ['total', 'currency'].map((name) => textOf(memberOf(amount, name)));
  }

  get #transaction(): unknown {
    const [first] = this.attempts;
    return first && transactionOf(this.#journal, first);
  }

  get #names(): OrderNames {
    return (this.#orderNames ??= orderNamesOf(this.#transaction));
  }
}

/** Finds the purchase that a request, a payment or a part of it belongs to. Indexed on first use. */
export class PurchaseLookup {
  readonly #records: Records;
  readonly #purchases: readonly Purchase[];
  #byPayment: ReadonlyMap<string, Purchase> | undefined;

  constructor(records: Records, purchases: readonly Purchase[]) {
    this.#records = records;
    this.#purchases = purchases;
  }

  byPayment(paymentId: string): Purchase | undefined {
    return (this.#byPayment ??= purchasesByPayment(this.#purchases)).get(paymentId);
  }

  /** Finds the purchase of the payment that a request created. */
  byRequest({ subject }: StoredEntry): Purchase | undefined {
    return subject === undefined ? undefined : this.byPayment(subject);
  }

  /** Finds the purchase of a sale, authorization or capture. */
  byRecord(id: string): Purchase | undefined {
    const part = findPaymentPart(this.#records, id);
    return part && this.byPayment(part.paymentId);
  }
}

function purchasesByPayment(purchases: readonly Purchase[]): ReadonlyMap<string, Purchase> {
  const byPayment = new Map<string, Purchase>();
  for (const purchase of purchases) {
    for (const entry of purchase.attempts) {
      for (const id of createdIds(entry)) byPayment.set(id, purchase);
    }
  }
  return byPayment;
}
