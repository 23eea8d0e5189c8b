/** What a merchant's code says it holds to be true, against the money. */
import type { Belief } from '../contract/control-verdict.ts';
import type { Money } from '../domain/money.ts';
import { storedId } from '../outcomes/longer-ids.ts';
import { withoutCardNumbers } from '../redaction/redact.ts';
import type { Charge } from './charge.ts';
import type { Evidence } from './evidence.ts';
import { groupedBy } from './grouped.ts';
import type { Purchase } from './purchase.ts';
import { moneyWords, purchaseWords } from './words.ts';

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

/** Something that has a name, and the charges that it took. */
interface Named {
  readonly names: readonly (string | undefined)[];
  readonly words: string;
  readonly charges: readonly Charge[];
}

/**
 * Finds what is believed: of a purchase by its invoice number or `custom`, of a payment, authorization, sale or capture
 * by its id.
 */
export class Believed {
  readonly #said: ReadonlyMap<string, Belief>;

  constructor(beliefs: Readonly<Record<string, Belief>>) {
    this.#said = new Map(
      Object.entries(beliefs).map(([name, belief]) => [storedId(name), belief] as const),
    );
  }

  /** By the first of its names, or of whatever belongs to it. */
  of(evidence: Evidence, purchase: Purchase): Belief | undefined {
    if (this.#said.size === 0) return undefined;
    return namedIn(evidence, purchase).flatMap(({ names }) => this.#of(names) ?? [])[0];
  }

  /** All that is believed: of what requests to pay gave a name, and of whatever has another one. */
  against(evidence: Evidence): readonly Held[] {
    if (this.#said.size === 0) return [];
    const named = evidence.purchases.flatMap((purchase) => namedIn(evidence, purchase));
    const ofNamed = named.flatMap(({ names, words, charges }): Held[] => {
      const belief = this.#of(names);
      return belief === undefined ? [] : [{ belief, words, ...moneyOf(charges) }];
    });
    const known = new Set(named.flatMap(({ names }) => names));
    const others = [...this.#said].filter(([name]) => !known.has(name));
    const ofOthers = others.map(([name, belief]): Held => {
      // Whatever a client calls a purchase stands in the reports, and may be a card number.
      const words = `"${withoutCardNumbers(name)}", which no purchase in the journal is called,`;
      return { belief, words, money: evidence.heldUnder(name), givingBack: [] };
    });
    return [...ofNamed, ...ofOthers];
  }

  #of(names: readonly (string | undefined)[]): Belief | undefined {
    const name = names.find((one) => one !== undefined && this.#said.has(one));
    return name === undefined ? undefined : this.#said.get(name);
  }
}

/** The purchase, and each of what it made. */
function namedIn({ records }: Evidence, purchase: Purchase): Named[] {
  const { invoiceNumber, custom, payments, charges } = purchase;
  const own = `(${purchaseWords(purchase)})`;
  const takenBy = groupedBy(charges, ({ paymentId }) => paymentId);
  const ofPayments = payments.flatMap((id): Named[] => {
    const taken = takenBy.get(id) ?? [];
    const related = records.payments.get(id)?.related ?? [];
    const holds = related.filter(({ kind }) => kind === 'authorization');
    return [
      { names: [id], words: `payment ${id} ${own}`, charges: taken },
      ...holds.map((one) => ({
        names: [one.id],
        words: `authorization ${one.id} ${own}`,
        charges: taken,
      })),
    ];
  });
  return [
    { names: [invoiceNumber, custom], words: purchaseWords(purchase), charges },
    ...ofPayments,
    ...charges.map((charge) => ({
      names: [charge.id],
      words: `${charge.isCapture ? 'capture' : 'sale'} ${charge.id} ${own}`,
      charges: [charge],
    })),
  ];
}

function moneyOf(charges: readonly Charge[]): Pick<Held, 'money' | 'givingBack'> {
  const nonZero = (minorOf: (charge: Charge) => number): Money[] =>
    charges
      .map((charge) => ({ minor: minorOf(charge), currency: charge.amount.currency }))
      .filter(({ minor }) => minor > 0);
  return {
    money: nonZero(({ keptMinor }) => keptMinor),
    givingBack: nonZero(({ givingBackMinor }) => givingBackMinor),
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
