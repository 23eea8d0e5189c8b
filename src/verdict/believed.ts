/** What a merchant's code says it holds to be true, against the money. */
import type { Belief } from '../contract/control-verdict.ts';
import type { Purchase } from './purchase.ts';
import { moneyWords, purchaseWords } from './words.ts';

/** Finds what is believed of a purchase: by its invoice number, `custom`, or the id of a payment or sale of it. */
export function believing(
  beliefs: Readonly<Record<string, Belief>>,
): (purchase: Purchase) => Belief | undefined {
  const said = new Map(Object.entries(beliefs));
  if (said.size === 0) return () => undefined;
  return ({ invoiceNumber, custom, charges }) => {
    const names = [
      invoiceNumber,
      custom,
      ...charges.flatMap(({ id, paymentId }) => [paymentId, id]),
    ];
    for (const name of names) {
      const belief = name === undefined ? undefined : said.get(name);
      if (belief !== undefined) return belief;
    }
    return undefined;
  };
}

/** Why a belief is wrong, if it is. Whoever does not know is never wrong. */
export function wrongBelief(purchase: Purchase, belief: Belief | undefined): string | undefined {
  if (belief === undefined) return undefined;
  const held = purchase.charges.filter(({ netMinor }) => netMinor > 0);
  if (belief === 'paid' && held.length === 0) {
    return `Your code holds ${purchaseWords(purchase)} to be paid, and the ledger has no money of it.`;
  }
  if (belief === 'not-paid' && held.length > 0) {
    const sums = held.map(({ amount }) => moneyWords(amount)).join(' and ');
    return `Your code holds ${purchaseWords(purchase)} not to be paid, and the ledger has ${sums} of it.`;
  }
  return undefined;
}
