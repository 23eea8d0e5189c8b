/** A shop that uses the reference client, over a socket, its clock in the merchant's hands. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Merchant } from '../../../../src/index.ts';
import { MerchantTime } from './merchant-clock.ts';
import type { Belief } from './carry-out.ts';
import { ReferenceClient, type Order } from './reference-client.ts';
import { breathe } from '../setups/checkout.ts';

/** A visa of the default fixtures that asks for no customer id. */
export const vaultedCard = 'CARD-VISA0000000000001EXAMPLE';

export const amount = { total: '30.11', currency: 'USD' } as const;

export const order: Order = { invoice: 'order-1042', cardId: vaultedCard, ...amount };

export interface Counter {
  readonly merchant: Merchant;
  readonly client: ReferenceClient;
}

export function openCounter(
  merchant: Merchant,
  url: string,
  keys = new Map<string, string>(),
): Counter {
  const client = new ReferenceClient({
    baseUrl: url,
    clientId: merchant.id,
    secret: 'any',
    clock: new MerchantTime(merchant),
    random: () => 0.5,
    newKey: randomUUID,
    keys,
  });
  return { merchant, client };
}

/** Gets a token and a connection that was used before, as a shop has that is open. */
export async function warmUp({ client }: Counter): Promise<void> {
  expect(await client.recheck(order)).toMatchObject({ state: 'unknown' });
  await breathe();
}

/** What must have been done for a test to go on. */
export function sure<T>(belief: Belief<T>): T {
  if (belief.state !== 'done') throw new Error(`It is ${belief.state}.`);
  return belief.record;
}

/** How often money moved for a cause. */
export function moved({ merchant }: Counter, cause: 'sale' | 'capture' | 'refund'): number {
  return merchant.ledger().transfers.filter((one) => one.cause === cause).length;
}
