/** What a merchant's code says it holds to be true, against the money. */
import type { Belief } from '../contract/control/verdict.ts';
import type { Money } from '../domain/money/money.ts';
import { restoreId } from '../outcomes/effects/long-id-dialect.ts';
import { hideCardNumbers } from '../redaction/redact.ts';
import type { Evidence } from './evidence/evidence.ts';
import { findOrdersByName, type NamedOrders } from './evidence/order-names.ts';
import { idsWithRelated } from './evidence/records.ts';
import { orderNamesIn } from './evidence/request-fields.ts';
import { describePurchase, formatMoney } from './phrases.ts';
import {
  chargeRecordsOf,
  pendingRefundMinorOf,
  retainedMinorOf,
  type ChargeRecord,
} from './purchases/net-amount.ts';
import type { Purchase } from './purchases/purchase.ts';

/** Something that is believed, and what the ledger has of it. */
export interface CheckedBelief {
  readonly belief: Belief;
  /** How that which it is about is called in a sentence. */
  readonly description: string;
  /** What the merchant keeps of each charge, once refunds that are under way have settled. */
  readonly retained: readonly Money[];
  /** What of it refunds are about to give back. */
  readonly pendingRefunds: readonly Money[];
}

/** What stands behind a name, without what the belief about it is. */
type About = Pick<CheckedBelief, 'description'> & { readonly taken: readonly ChargeRecord[] };

/**
 * Finds what is believed: of a purchase by its invoice number or `custom`, of a payment, authorization, sale or capture
 * by its id. The money is that of the records, so that it is found whatever the journal has forgotten.
 */
export class Beliefs {
  readonly #said: ReadonlyMap<string, Belief>;

  constructor(beliefs: Readonly<Record<string, Belief>>) {
    this.#said = new Map(
      Object.entries(beliefs).map(([name, belief]) => [restoreId(name), belief] as const),
    );
  }

  /** By the first of its names, or of whatever belongs to it. */
  ofPurchase(evidence: Evidence, { attempts, payments }: Purchase): Belief | undefined {
    if (this.#said.size === 0) return undefined;
    const names = [
      ...attempts.flatMap((entry) => {
        const { invoiceNumber, custom } = orderNamesIn(evidence, entry);
        return [invoiceNumber, custom];
      }),
      ...payments.flatMap((id) => idsWithRelated(id, evidence.records)),
    ];
    const name = names.find((one) => one !== undefined && this.#said.has(one));
    return name === undefined ? undefined : this.#said.get(name);
  }

  /** All that is believed, in the order it was said. */
  check(evidence: Evidence): readonly CheckedBelief[] {
    if (this.#said.size === 0) return [];
    const { records } = evidence;
    return [...findOrdersByName(evidence, this.#said.keys())].map(
      ([name, called]): CheckedBelief => {
        const belief = this.#said.get(name) ?? 'unknown';
        const { description, taken } =
          findById(name, evidence) ?? findByName(name, called, belief, evidence);
        const moneyOf = (minorOf: (made: ChargeRecord) => number): Money[] =>
          taken
            .map((made) => ({ minor: minorOf(made), currency: made.amount.currency }))
            .filter(({ minor }) => minor > 0);
        return {
          belief,
          description,
          retained: moneyOf(retainedMinorOf),
          pendingRefunds: moneyOf((made) => pendingRefundMinorOf(made, records)),
        };
      },
    );
  }
}

/** What has this id, and nothing beside it. */
function findById(id: string, { records, purchaseLookup }: Evidence): About | undefined {
  const { payments, authorizations, sales, captures } = records;
  const made = sales.get(id) ?? captures.get(id);
  const held = authorizations.get(id);
  const paymentId = payments.get(id)?.id ?? held?.paymentId ?? made?.paymentId;
  if (paymentId === undefined) return undefined;
  const kind = made?.kind ?? (held === undefined ? 'payment' : 'authorization');
  const purchase = purchaseLookup.byPayment(paymentId);
  const own = purchase === undefined ? '' : ` (${describePurchase(purchase)})`;
  return {
    description: `${kind} ${id}${own}`,
    taken: made === undefined ? chargeRecordsOf(paymentId, records) : [made],
  };
}

/**
 * One purchase may be asked for, and refused, several times under one name, and many may share a `custom`: it is paid
 * where any of them is. An invoice number names a purchase whatever else has the name for its `custom`.
 */
function findByName(
  name: string,
  { invoice, custom }: NamedOrders,
  belief: Belief,
  { records }: Evidence,
): About {
  const isInvoiceAlone = invoice.exist && belief === 'not-paid';
  const payments = isInvoiceAlone
    ? invoice.paidPaymentIds
    : [...invoice.paidPaymentIds, ...custom.paidPaymentIds];
  // Whatever a client calls a purchase stands in the reports, and may be a card number.
  const shown = hideCardNumbers(name);
  return {
    description: invoice.exist
      ? `invoice ${shown}`
      : custom.exist
        ? `purchase "${shown}"`
        : `"${shown}", which no purchase in the journal is called,`,
    taken: payments.flatMap((id) => chargeRecordsOf(id, records)),
  };
}

/** Whether it is believed to be paid, and is not. */
export function isPaidWithoutMoney({ belief, retained }: CheckedBelief): boolean {
  return belief === 'paid' && retained.length === 0;
}

/** Why a belief is wrong, if it is. Whoever does not know is never wrong. */
export function explainWrongBelief(held: CheckedBelief): string | undefined {
  const { belief, description, retained, pendingRefunds } = held;
  if (isPaidWithoutMoney(held)) {
    const left =
      pendingRefunds.length > 0
        ? `a refund of ${amountsOf(pendingRefunds)} is under way.`
        : 'the ledger has no money of it.';
    return `Your code holds ${description} to be paid, and ${left}`;
  }
  if (belief === 'not-paid' && retained.length > 0) {
    return `Your code holds ${description} not to be paid, and the ledger has ${amountsOf(retained)} of it.`;
  }
  return undefined;
}

function amountsOf(money: readonly Money[]): string {
  return money.map(formatMoney).join(' and ');
}
