/** Does a name stand for one order, so that two payments under it pay the same thing? */

/** A word for an order, followed by its number: `order-1001`, `Order #A7`, `INV_2026-3`. */
const orderNumber =
  /(?<![a-z])(?:orders?|ord|invoice|inv|booking|reservation|purchase|receipt|bestellung|auftrag|rechnung|buchung|commande|facture|pedido|factura)[^a-z0-9]{0,3}(?:(?:no|nr|num|number|id)[^a-z0-9]{0,3})?[a-z]{0,4}[-_]?\d/i;

/** Orders that are meant to be paid again and again. */
const recurring = /standing|recurr|repeat/i;

const plan =
  /(?<![a-z])(?:subs?|subscription|plan|membership|abo|rent|fee|bill|billing|cycle|period|statement|tariff)(?![a-z])/i;

const month =
  /(?<!\d)20\d\d[-/.]?(?:0[1-9]|1[0-2])(?!\d)|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ ._-]{1,2}20\d\d(?!\d)/i;

/**
 * Whether `custom` is the number of an order, or what a payment says of itself names the month of a plan.
 *
 * Other texts may stand for a shop, a till, a customer or an article, which are paid many times.
 */
export function namesOneOrder(custom: string | undefined, description = ''): boolean {
  if (custom === undefined) return false;
  if (orderNumber.test(custom)) return !recurring.test(custom + description);
  const words = `${custom} ${description}`;
  return plan.test(words) && month.test(words);
}

/** How late a queue may deliver a job again, as after a weekend. What comes later may be meant, as an instalment. */
export const redeliveryMs = 4 * 24 * 3_600_000;
