/** Magic values: a name, a number or an amount in test data that asks for an outcome, as other sandboxes have them. */
import { catalogue, standsAlone } from './catalogue.ts';

/** Totals from here on are magic where magic amounts are on; ordinary orders stay below. In minor units. */
const magicFromMinor = 900_000;

const byName = new Map<string, string>();
const byCard = new Map<string, string>();
const byCents = new Map<string, string>();

for (const outcome of catalogue) {
  const { id, names = [], cards = [], cents = [] } = outcome;
  for (const name of names) byName.set(name, id);
  if (standsAlone(outcome)) byName.set(`SBX-${id}`, id);
  for (const card of cards) byCard.set(card, id);
  for (const ending of cents) if (!byCents.has(ending)) byCents.set(ending, id);
}

/** The outcome a card number asks for. Asked once, when the card is read. */
export function askedByCard(pan: string): string | undefined {
  return byCard.get(pan);
}

/** The outcome a cardholder's first or last name asks for. Case counts. */
export function askedByName(...names: readonly (string | undefined)[]): string | undefined {
  return names
    .map((name) => (name === undefined ? undefined : byName.get(name)))
    .find((id) => id !== undefined);
}

/**
 * The outcome a total asks for, where magic amounts are on: 9000.51 reads as the issuer's response code 51, and so
 * does 900051 in a currency without decimals.
 */
export function askedByAmount(minor: number): string | undefined {
  return minor < magicFromMinor ? undefined : byCents.get(String(minor % 100).padStart(2, '0'));
}
