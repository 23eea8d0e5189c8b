/** Orders with their number in `custom`. */
import { see, type Seen } from '../../forcing/tolerant-client.ts';
import type { Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { keyed } from './payment-attempts.ts';

export interface Order {
  readonly key: string;
  readonly cardId: string;
  readonly total?: string;
  readonly currency?: string;
  readonly custom?: string;
  readonly invoice?: string | undefined;
  readonly externalCustomerId?: string;
}

/** Pays for an order and accepts any answer. All orders have the same `custom` unless one is given. */
export function order(
  shop: Shop,
  { key, custom = 'till-77', invoice, ...parts }: Order,
): Promise<Seen> {
  const transaction = { custom, ...(invoice !== undefined && { invoice_number: invoice }) };
  const body = paymentBody({ ...parts, transaction });
  return see(shop, 'payment.create', { body, headers: keyed(key) });
}

/** A card with or without a customer. */
export async function cardOf(
  shop: Shop,
  customer: string | undefined,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Omit<Order, 'key'>> {
  if (customer === undefined) return { cardId: await storeCard(shop, change) };
  const cardId = await storeCard(shop, { external_customer_id: customer, ...change });
  return { cardId, externalCustomerId: customer };
}
