/** Magic values: a name, a number or an amount in test data that asks for an outcome (PayPal, Stripe and others do the same). */
import type { Outcome } from './outcome.ts';

/** Totals from here on are magic where magic amounts are on; ordinary orders stay below. In whole units. */
const magicFrom = 9_000;

export interface MagicTables {
  readonly byName: ReadonlyMap<string, string>;
  readonly byCard: ReadonlyMap<string, string>;
  readonly byCents: ReadonlyMap<string, string>;
}

/** Reads the catalogue's magic values once. */
export function magicTables(catalogue: readonly Outcome[]): MagicTables {
  const byName = new Map<string, string>();
  const byCard = new Map<string, string>();
  const byCents = new Map<string, string>();
  for (const { id, names = [], cards = [], cents = [], triggers } of catalogue) {
    for (const name of names) byName.set(name, id);
    if (!triggers.every((trigger) => trigger === 'natural')) byName.set(`SBX-${id}`, id);
    for (const card of cards) byCard.set(card, id);
    for (const ending of cents) if (!byCents.has(ending)) byCents.set(ending, id);
  }
  return { byName, byCard, byCents };
}

/** The outcome a cardholder's name asks for. Case counts. */
export function outcomeOfName(
  tables: MagicTables,
  ...names: readonly (string | undefined)[]
): string | undefined {
  return names
    .map((name) => (name === undefined ? undefined : tables.byName.get(name)))
    .find((id) => id !== undefined);
}

/** The outcome a total asks for: 9000.51 reads as response code 51, 900051 where a currency has no decimals. */
export function outcomeOfAmount(
  tables: MagicTables,
  minor: number,
  decimals: number,
): string | undefined {
  const wholeDecimals = decimals === 0 ? 100 : 1;
  if (minor < magicFrom * 100 || (decimals === 0 && minor < magicFrom * wholeDecimals)) {
    return undefined;
  }
  return tables.byCents.get(String(minor % 100).padStart(2, '0'));
}
