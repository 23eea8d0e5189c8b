/** What a merchant's code says it holds to be true, against the money. */
import type { Belief } from '../contract/control/verdict.ts';
import type { Money } from '../domain/money/money.ts';
import { storedId } from '../outcomes/effects/long-id-dialect.ts';
import { withoutCardNumbers } from '../redaction/redact.ts';
import { calledBy, namesIn, type Called } from './evidence/order-names.ts';
import type { Evidence } from './evidence/evidence.ts';
import { givingBackMinorOf, keptMinorOf, takenBy, type Taken } from './purchases/net-amount.ts';
import type { Purchase } from './purchases/purchase.ts';
import { moneyWords, purchaseWords } from './phrases.ts';

/** Something that is believed, and what the ledger has of it. */
export interface Held {
  readonly belief: Belief;
  /** How that which it is about is called in a sentence. */
  readonly words: string;
  /** What the merchant keeps of each charge, once refunds that are under way have settled. */
  readonly money: readonly Money[];
  /** What of it refunds are about to give back. */
  readonly givingBack: readonly Money[];
}

/** What stands behind a name, without what the belief about it is. */
type About = Pick<Held, 'words'> & { readonly taken: readonly Taken[] };

/**
 * Finds what is believed: of a purchase by its invoice number or `custom`, of a payment, authorization, sale or capture
 * by its id. The money is that of the records, so that it is found whatever the journal has forgotten.
 */
export class Believed {
  readonly #said: ReadonlyMap<string, Belief>;

  constructor(beliefs: Readonly<Record<string, Belief>>) {
    this.#said = new Map(
      Object.entries(beliefs).map(([name, belief]) => [storedId(name), belief] as const),
    );
  }

  /** By the first of its names, or of whatever belongs to it. */
  of(evidence: Evidence, { attempts, payments }: Purchase): Belief | undefined {
    if (this.#said.size === 0) return undefined;
    const names = [
      ...attempts.flatMap((entry) => {
        const { invoiceNumber, custom } = namesIn(evidence, entry);
        return [invoiceNumber, custom];
      }),
      ...payments.flatMap((id) => [
        id,
        ...Array.from(evidence.records.payments.get(id)?.related ?? [], (one) => one.id),
      ]),
    ];
    const name = names.find((one) => one !== undefined && this.#said.has(one));
    return name === undefined ? undefined : this.#said.get(name);
  }

  /** All that is believed, in the order it was said. */
  against(evidence: Evidence): readonly Held[] {
    if (this.#said.size === 0) return [];
    const { records } = evidence;
    return [...calledBy(evidence, this.#said.keys())].map(([name, called]): Held => {
      const belief = this.#said.get(name) ?? 'unknown';
      const { words, taken } = withId(name, evidence) ?? withName(name, called, belief, evidence);
      const moneyOf = (minorOf: (made: Taken) => number): Money[] =>
        taken
          .map((made) => ({ minor: minorOf(made), currency: made.amount.currency }))
          .filter(({ minor }) => minor > 0);
      return {
        belief,
        words,
        money: moneyOf(keptMinorOf),
        givingBack: moneyOf((made) => givingBackMinorOf(made, records)),
      };
    });
  }
}

/** What has this id, and nothing beside it. */
function withId(id: string, { records, boughtBy }: Evidence): About | undefined {
  const { payments, authorizations, sales, captures } = records;
  const made = sales.get(id) ?? captures.get(id);
  const held = authorizations.get(id);
  const paymentId = payments.get(id)?.id ?? held?.paymentId ?? made?.paymentId;
  if (paymentId === undefined) return undefined;
  const kind = made?.kind ?? (held === undefined ? 'payment' : 'authorization');
  const purchase = boughtBy.payment(paymentId);
  const own = purchase === undefined ? '' : ` (${purchaseWords(purchase)})`;
  return {
    words: `${kind} ${id}${own}`,
    taken: made === undefined ? takenBy(paymentId, records) : [made],
  };
}

/**
 * One purchase may be asked for, and refused, several times under one name, and many may share a `custom`: it is paid
 * where any of them is. An invoice number names a purchase whatever else has the name for its `custom`.
 */
function withName(
  name: string,
  { invoice, custom }: Called,
  belief: Belief,
  { records }: Evidence,
): About {
  const isInvoiceAlone = invoice.areThere && belief === 'not-paid';
  const payments = isInvoiceAlone ? invoice.paid : [...invoice.paid, ...custom.paid];
  // Whatever a client calls a purchase stands in the reports, and may be a card number.
  const shown = withoutCardNumbers(name);
  return {
    words: invoice.areThere
      ? `invoice ${shown}`
      : custom.areThere
        ? `purchase "${shown}"`
        : `"${shown}", which no purchase in the journal is called,`,
    taken: payments.flatMap((id) => takenBy(id, records)),
  };
}

/** Whether it is believed to be paid, and is not. */
export function isPaidForNothing({ belief, money }: Held): boolean {
  return belief === 'paid' && money.length === 0;
}

/** Why a belief is wrong, if it is. Whoever does not know is never wrong. */
export function wrongBelief(held: Held): string | undefined {
  const { belief, words, money, givingBack } = held;
  if (isPaidForNothing(held)) {
    const left =
      givingBack.length > 0
        ? `a refund of ${amountsOf(givingBack)} is under way.`
        : 'the ledger has no money of it.';
    return `Your code holds ${words} to be paid, and ${left}`;
  }
  if (belief === 'not-paid' && money.length > 0) {
    return `Your code holds ${words} not to be paid, and the ledger has ${amountsOf(money)} of it.`;
  }
  return undefined;
}

function amountsOf(money: readonly Money[]): string {
  return money.map(moneyWords).join(' and ');
}
