/** Reads the records and transfers of a merchant from outside. */
import type { Shop } from '../../support/transports.ts';

export interface Books {
  readonly cards: readonly unknown[];
  readonly payments: readonly unknown[];
  readonly transfers: readonly unknown[];
}

/** Reads the records of a merchant through the app, which no transport outcome affects. */
export async function booksOf(shop: Shop): Promise<Books> {
  const { sandbox } = shop.transport;
  const list = async (path: string, key: string): Promise<readonly unknown[]> => {
    // Not over the transport, which may refuse connections.
    const response = await sandbox.app.request(path, {
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
    });
    const found: unknown = Reflect.get(Object(await response.json()), key);
    if (!Array.isArray(found)) throw new Error(`${path} answered ${response.status}.`);
    return found;
  };
  return {
    cards: await list('/v1/vault/credit-cards?page_size=20', 'items'),
    payments: await list('/v1/payments/payment?count=20', 'payments'),
    transfers: structuredClone(shop.merchant.ledger().transfers),
  };
}

/** Throws unless the accounts of every currency sum to zero. */
export function expectBalanced(shop: Shop): void {
  for (const [currency, accounts] of Object.entries(shop.merchant.ledger().balances)) {
    if (accounts.cardholders + accounts.merchant !== 0) {
      throw new Error(`The accounts in ${currency} do not sum to zero.`);
    }
  }
}
