/** Reads a merchant's ledger: its transfers, and totals by card, customer and purchase. */
import type { LedgerTotals } from '../contract/control/types.ts';
import { turnoverOf, type Balances, type Transfer, type Turnover } from '../domain/money/ledger.ts';
import type { Currency } from '../domain/money/money.ts';
import type { Payment } from '../domain/records.ts';
import { intentOf } from '../journal/purchase-key.ts';
import type { World } from '../world/world.ts';
import { groupBy } from './evidence/group-by.ts';
import { JournalIndex } from './evidence/journal-index.ts';
import { customerIdOf } from './evidence/records.ts';
import { Charges } from './purchases/charge.ts';
import { groupPurchases } from './purchases/group-purchases.ts';

/** The transfers of a merchant's world and their totals, in minor units. */
export interface LedgerReading {
  /** Oldest first. */
  readonly transfers: readonly Transfer[];
  /** Balances of all accounts, by currency. */
  readonly balances: Balances;
  /** The sum of all accounts of each currency. It is 0 unless the sandbox has a bug. */
  readonly sums: Readonly<Partial<Record<Currency, number>>>;
  /** One row for each card, customer and purchase, and each currency. Each of the three adds up to the balances. */
  readonly totals: LedgerTotals;
}

/** Reads the ledger after all events that are due have happened. */
export function readLedger(world: World): LedgerReading {
  world.runDueEvents();
  const transfers = world.transfers();
  const balances = [...world.balances()];
  const paymentOf = ({ payment }: Transfer): Payment | undefined => world.payments.get(payment);
  const cardIdOf = (transfer: Transfer): string | undefined => {
    const instrument = paymentOf(transfer)?.instrument;
    return instrument?.kind === 'token' ? instrument.cardId : undefined;
  };
  return {
    transfers,
    balances: Object.fromEntries(balances),
    sums: Object.fromEntries(
      balances.map(([currency, accounts]) => [
        currency,
        Object.values(accounts).reduce((sum, minor) => sum + minor, 0),
      ]),
    ),
    totals: {
      cards: totalsBy(transfers, cardIdOf).map(([cardId, total]) => ({
        ...(cardId !== undefined && { cardId }),
        ...total,
      })),
      customers: totalsBy(transfers, (transfer) => {
        const payment = paymentOf(transfer);
        return payment && customerIdOf(payment);
      }).map(([customerId, total]) => ({
        ...(customerId !== undefined && { customerId }),
        ...total,
      })),
      purchases: purchaseTotals(world, transfers),
    },
  };
}

function totalsBy<K>(
  transfers: readonly Transfer[],
  keyOf: (transfer: Transfer) => K,
): (readonly [K, Turnover])[] {
  return [...groupBy(transfers, keyOf)].flatMap(([key, own]) =>
    turnoverOf(own).map((total) => [key, total] as const),
  );
}

type PurchaseTotal = LedgerReading['totals']['purchases'][number];
type PurchaseName = Pick<PurchaseTotal, 'key' | 'label'>;

function purchaseTotals(world: World, transfers: readonly Transfer[]): PurchaseTotal[] {
  const namesFromJournal = new Map<string, PurchaseName>();
  const journal = new JournalIndex(world);
  for (const purchase of groupPurchases(journal, new Charges(journal))) {
    for (const id of purchase.payments) namesFromJournal.set(id, purchase);
  }
  const namesByKey = new Map<string, PurchaseName>();
  const keyOf = ({ payment: id }: Transfer): string => {
    const name = namesFromJournal.get(id) ?? nameFromRecord(id, world.payments.get(id));
    if (!namesByKey.has(name.key)) namesByKey.set(name.key, name);
    return name.key;
  };
  return [...groupBy(transfers, keyOf)].flatMap(([key, own]) => {
    const label = namesByKey.get(key)?.label ?? key;
    const paymentIds = [...new Set(own.map(({ payment }) => payment))];
    return turnoverOf(own).map((total) => ({ key, label, paymentIds, ...total }));
  });
}

/**
 * Names a payment that no request in the journal created.
 *
 * It comes from fixtures, a restored world or a dropped exchange. Its order's name still shows which purchase it is for.
 */
function nameFromRecord(id: string, payment: Payment | undefined): PurchaseName {
  const { invoiceNumber, custom, description } = payment?.transaction ?? {};
  if (invoiceNumber === undefined && custom === undefined)
    return { key: id, label: description ?? id };
  const transaction = { invoice_number: invoiceNumber, custom };
  return {
    key: intentOf('payment.create', {}, { transactions: [transaction] }),
    label: invoiceNumber ?? custom ?? id,
  };
}
