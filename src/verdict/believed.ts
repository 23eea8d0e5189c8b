/** What a merchant's code says it holds to be true, against the money. */
import type { Belief } from '../contract/control-verdict.ts';
import type { Money } from '../domain/money.ts';
import { storedId } from '../outcomes/longer-ids.ts';
import type { Evidence } from './evidence.ts';
import type { Purchase } from './purchase.ts';
import { moneyWords, purchaseWords } from './words.ts';

/** Something that is believed, and what the ledger has of it. */
export interface Held {
  readonly belief: Belief;
  /** How that which it is about is called in a sentence. */
  readonly words: string;
  readonly money: readonly Money[];
}

/** Finds what is believed of a purchase: by its invoice number, `custom`, or the id of a payment or sale of it. */
export class Believed {
  readonly #said: ReadonlyMap<string, Belief>;

  constructor(beliefs: Readonly<Record<string, Belief>>) {
    this.#said = new Map(
      Object.entries(beliefs).map(([name, belief]) => [storedId(name), belief] as const),
    );
  }

  of(purchase: Purchase): Belief | undefined {
    if (this.#said.size === 0) return undefined;
    const name = namesOf(purchase).find((one) => this.#said.has(one));
    return name === undefined ? undefined : this.#said.get(name);
  }

  /** All that is believed: of purchases, and of whatever has a name that no request to pay gave anything. */
  against(evidence: Evidence): readonly Held[] {
    if (this.#said.size === 0) return [];
    const { purchases } = evidence;
    const ofPurchases = purchases.flatMap((purchase): Held[] => {
      const belief = this.of(purchase);
      if (belief === undefined) return [];
      const held = purchase.charges.filter(({ keptMinor }) => keptMinor > 0);
      const money = held.map(({ amount }) => amount);
      return [{ belief, words: purchaseWords(purchase), money }];
    });
    const named = new Set(purchases.flatMap(namesOf));
    const others = [...this.#said].filter(([name]) => !named.has(name));
    const ofOthers = others.map(([name, belief]): Held => {
      const words = `"${name}", which no purchase in the journal is called,`;
      return { belief, words, money: evidence.heldUnder(name) };
    });
    return [...ofPurchases, ...ofOthers];
  }
}

function namesOf(purchase: Purchase): string[] {
  const { invoiceNumber, custom, payments, charges } = purchase;
  const names = [invoiceNumber, custom, ...payments, ...charges.map(({ id }) => id)];
  return names.filter((name) => name !== undefined);
}

/** Whether it is believed to be paid, and is not. */
export function isPaidForNothing({ belief, money }: Held): boolean {
  return belief === 'paid' && money.length === 0;
}

/** Why a belief is wrong, if it is. Whoever does not know is never wrong. */
export function wrongBelief(held: Held): string | undefined {
  const { belief, words, money } = held;
  if (isPaidForNothing(held)) {
    return `Your code holds ${words} to be paid, and the ledger has no money of it.`;
  }
  if (belief === 'not-paid' && money.length > 0) {
    return `Your code holds ${words} not to be paid, and the ledger has ${money.map(moneyWords).join(' and ')} of it.`;
  }
  return undefined;
}
