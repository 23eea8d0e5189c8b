/** The ledger of a merchant: what moved, and what it comes to by card, by customer and by purchase. */
import type { z } from '@hono/zod-openapi';
import type { LedgerTotals } from '../contract/control/ledger.ts';
import { turnoverOf, type Balances, type Transfer, type Turnover } from '../domain/money/ledger.ts';
import type { Currency } from '../domain/money/money.ts';
import type { Payment } from '../domain/records.ts';
import { intentOf } from '../journal/purchase-key.ts';
import type { World } from '../world/world.ts';
import { groupBy } from './evidence/group-by.ts';
import { JournalIndex } from './evidence/journal-index.ts';
import { Charges } from './purchases/charge.ts';
import { groupPurchases } from './purchases/group-purchases.ts';

/** What moved in a merchant's world, and what it comes to; all in minor units. */
export interface LedgerReading {
  /** Oldest first. */
  readonly transfers: readonly Transfer[];
  /** By currency. */
  readonly balances: Balances;
  /** All accounts of a currency together: 0, or this sandbox has a bug. */
  readonly sums: Readonly<Partial<Record<Currency, number>>>;
  /** A row for each card, customer and purchase, and for each currency; each of the three sums to the balances. */
  readonly totals: z.output<typeof LedgerTotals>;
}

/** Everything that has fallen due by now has happened in it. */
export function readLedger(world: World): LedgerReading {
  world.runDueEvents();
  const transfers = world.transfers();
  const balances = [...world.balances()];
  const paymentOf = ({ payment }: Transfer): Payment | undefined => world.payments.get(payment);
  const instrumentOf = (transfer: Transfer) => {
    const instrument = paymentOf(transfer)?.instrument;
    return instrument?.kind === 'token' ? instrument : undefined;
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
      cards: totalsBy(transfers, (transfer) => instrumentOf(transfer)?.cardId).map(
        ([cardId, total]) => ({ ...(cardId !== undefined && { cardId }), ...total }),
      ),
      customers: totalsBy(transfers, (transfer) => {
        const { externalCustomerId, payerId } = instrumentOf(transfer) ?? {};
        return externalCustomerId ?? payerId;
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
type Named = Pick<PurchaseTotal, 'key' | 'label'>;

function purchaseTotals(world: World, transfers: readonly Transfer[]): PurchaseTotal[] {
  const journaled = new Map<string, Named>();
  const journal = new JournalIndex(world);
  for (const purchase of groupPurchases(journal, new Charges(journal))) {
    for (const id of purchase.payments) journaled.set(id, purchase);
  }
  const purchases = new Map<string, Named>();
  const keyOf = ({ payment: id }: Transfer): string => {
    const named = journaled.get(id) ?? recorded(id, world.payments.get(id));
    if (!purchases.has(named.key)) purchases.set(named.key, named);
    return named.key;
  };
  return [...groupBy(transfers, keyOf)].flatMap(([key, own]) => {
    const label = purchases.get(key)?.label ?? key;
    const paymentIds = [...new Set(own.map(({ payment }) => payment))];
    return turnoverOf(own).map((total) => ({ key, label, paymentIds, ...total }));
  });
}

/**
 * A payment of fixtures, of a world that was restored, or one whose request made room for newer ones: the journal
 * cannot tell what else belongs to it. Its name can, where it has one.
 */
function recorded(id: string, payment: Payment | undefined): Named {
  const { invoiceNumber, custom, description } = payment?.transaction ?? {};
  if (invoiceNumber === undefined && custom === undefined)
    return { key: id, label: description ?? id };
  const transaction = { invoice_number: invoiceNumber, custom };
  return {
    key: intentOf('payment.create', {}, { transactions: [transaction] }),
    label: invoiceNumber ?? custom ?? id,
  };
}
