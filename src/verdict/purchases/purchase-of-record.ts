/** Finds the purchase that a payment was made for, or a record that came of one. */
import type { Purchase } from './purchase.ts';
import type { Records } from '../evidence/journal-index.ts';

/** Looked up only once somebody asks: most purchases have nothing to be said of them. */
export class BoughtBy {
  readonly #records: Records;
  readonly #purchases: readonly Purchase[];
  #byPayment: ReadonlyMap<string, Purchase> | undefined;

  constructor(records: Records, purchases: readonly Purchase[]) {
    this.#records = records;
    this.#purchases = purchases;
  }

  payment(id: string): Purchase | undefined {
    this.#byPayment ??= new Map(
      this.#purchases.flatMap((purchase) =>
        purchase.payments.map((payment): [string, Purchase] => [payment, purchase]),
      ),
    );
    return this.#byPayment.get(id);
  }

  /** A sale, an authorization or a capture. */
  record(id: string): Purchase | undefined {
    const { sales, authorizations, captures } = this.#records;
    const record = sales.get(id) ?? authorizations.get(id) ?? captures.get(id);
    return record && this.payment(record.paymentId);
  }
}
