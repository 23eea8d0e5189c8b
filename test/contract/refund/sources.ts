/** What can be refunded. The same rules hold for both, and the same tests. */
import type { Shop } from '../../support/transports.ts';
import { authorize, capture, sell } from '../../support/purchases.ts';

/** Something of 30.11 USD that can be refunded: a sale, or the capture of all an authorization held. */
export interface Source {
  readonly kind: 'sale' | 'capture';
  readonly refund: 'sale.refund' | 'capture.refund';
  readonly get: 'sale.get' | 'capture.get';
  make(shop: Shop): Promise<{ readonly id: string; readonly parent_payment: string }>;
}

export const sources: readonly Source[] = [
  { kind: 'sale', refund: 'sale.refund', get: 'sale.get', make: (shop) => sell(shop) },
  {
    kind: 'capture',
    refund: 'capture.refund',
    get: 'capture.get',
    make: async (shop) => capture(shop, (await authorize(shop)).id, '30.11'),
  },
];

export const usd = (total: unknown) => ({ amount: { total, currency: 'USD' } });

/** A request about a sale or capture. */
export function to(source: Source, id: string, body: unknown = {}) {
  return { params: { [`${source.kind}_id`]: id }, body };
}

/** The state a sale or capture is in. */
export async function stateOf(shop: Shop, source: Source, id: string): Promise<string> {
  const { params } = to(source, id);
  const { state } = await shop.ask(source.get, 200, { params });
  return state;
}
